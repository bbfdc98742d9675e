/* SPDX-License-Identifier: MIT */
/* Ends of threads: each operation is linear in THREAD_EXITS_ROOM. See thread_exits.h. */
#include "wait/thread_exits.h"

#include "base/sys.h"
#include "base/wide.h"
#include "sample/clock.h"
#include "state.h"

struct thread_exit *thread_exits_prepare(void)
{
	gmon.offcpu.exits = sys_memory(THREAD_EXITS_ROOM * sizeof(gmon.offcpu.exits[0]));
	return gmon.offcpu.exits;
}

void thread_exits_expect(struct thread_exit *exit, int32_t tid)
{
	__atomic_store_n(&exit->left, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&exit->tid, tid, __ATOMIC_RELEASE);
}

void thread_exits_leave(int32_t tid)
{
	struct thread_exit *exits = gmon.offcpu.exits;

	for (uint32_t i = 0; exits && i < THREAD_EXITS_ROOM; i++) {
		if (__atomic_load_n(&exits[i].tid, __ATOMIC_ACQUIRE) != tid)
			continue;
		wide_store(&exits[i].run, clock_thread_ns(0));
		wide_store(&exits[i].at, clock_monotonic_ns());
		__atomic_store_n(&exits[i].left, tid, __ATOMIC_RELEASE);
	}
}

bool thread_exits_find(const struct thread_exit *exit)
{
	return exit->tid && __atomic_load_n(&exit->left, __ATOMIC_ACQUIRE) == exit->tid;
}
