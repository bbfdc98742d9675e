/* SPDX-License-Identifier: MIT */
/*
 * unshare() and setns(), in the shared library only. For name spaces of users, and some others, the
 * kernel wants a process of one thread, and the helper of GMON=clock=wall (wait/offcpu_helper.h) is
 * a second one. So where they fail for that, the helper ends, they are called once more, and
 * another helper starts.
 */
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "preload/next.h"
#include "state.h"
#include "wait/offcpu_helper.h"

/* The helper has ended for its memory before it has for the kernel's count of threads. */
enum { ALONE_TURNS = 10, ALONE_TURN_NS = 1000000 };

/* Whether a thread has ended the helper for its call: others have to do with it then. */
static uint32_t alone_busy;

/* A call that may have to be made without the helper. */
struct alone {
	int turns; /* how often it was made without the helper; 0: the helper is there */
};

/* Whether a call that has failed is to be made again. */
static bool alone_again(struct alone *alone)
{
	const long turn[2] = { 0, ALONE_TURN_NS };

	if (errno != EINVAL || alone->turns > ALONE_TURNS)
		return false;
	if (alone->turns > 0) {
		SYS2(SYS_nanosleep, turn, NULL);
	} else {
		if (!__atomic_load_n(&gmon.offcpu.helper, __ATOMIC_ACQUIRE) || !state_is_ours() ||
		    __atomic_exchange_n(&alone_busy, 1, __ATOMIC_ACQUIRE))
			return false;
		offcpu_helper_flush(false);
		offcpu_helper_end();
	}
	alone->turns++;
	return !__atomic_load_n(&gmon.offcpu.helper, __ATOMIC_ACQUIRE);
}

static void alone_end(const struct alone *alone)
{
	int error = errno;

	if (alone->turns > 0) {
		if (!__atomic_load_n(&gmon.offcpu.helper, __ATOMIC_ACQUIRE))
			offcpu_helper_restart();
		__atomic_store_n(&alone_busy, 0, __ATOMIC_RELEASE);
	}
	errno = error;
}

PUBLIC int unshare(int flags)
{
	int (*next)(int) = (int (*)(int))next_of(NEXT_UNSHARE);
	struct alone alone = { 0 };
	int result;

	do
		result = next(flags);
	while (result != 0 && alone_again(&alone));
	alone_end(&alone);
	return result;
}

PUBLIC int setns(int descriptor, int kind)
{
	int (*next)(int, int) = (int (*)(int, int))next_of(NEXT_SETNS);
	struct alone alone = { 0 };
	int result;

	do
		result = next(descriptor, kind);
	while (result != 0 && alone_again(&alone));
	alone_end(&alone);
	return result;
}
