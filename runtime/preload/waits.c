/* SPDX-License-Identifier: MIT */
/* Functions that wait for signals, in the shared library only: with GMON=run they return none of
 * ours. */
#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>

#include "preload/masks.h"
#include "preload/next.h"
#include "sample/tick.h"
#include "state.h"

/* After a signal was waited for: whether it is one of ours, which is dropped. The next one of the
 * program's makes the signal blocked again. */
static bool waits_is_ours(int signal, const siginfo_t *info)
{
	if (signal <= 0 || signal != masks_signal())
		return false;
	if (tick_is_ours(info))
		return true;
	masks_received();
	return false;
}

PUBLIC int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *limit)
{
	typedef int function(const sigset_t *, siginfo_t *, const struct timespec *);
	function *next = (function *)next_of(NEXT_SIGTIMEDWAIT);
	siginfo_t own;
	sigset_t copy;
	int signal;

	if (!info)
		info = &own;
	do
		signal = next(masks_instead(&copy, set), info, limit);
	while (waits_is_ours(signal, info));
	return signal;
}

PUBLIC int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	return sigtimedwait(set, info, NULL);
}

PUBLIC int sigwait(const sigset_t *set, int *signal)
{
	typedef int function(const sigset_t *, int *);
	siginfo_t info;
	sigset_t copy;

	if (!masks_wait_for_program())
		return ((function *)next_of(NEXT_SIGWAIT))(masks_instead(&copy, set), signal);
	do
		*signal = sigtimedwait(set, &info, NULL);
	while (*signal < 0 && errno == EINTR);
	return *signal < 0 ? errno : 0;
}

PUBLIC int signalfd(int fd, const sigset_t *set, int flags)
{
	typedef int function(int, const sigset_t *, int);
	sigset_t copy;

	return ((function *)next_of(NEXT_SIGNALFD))(fd, masks_instead(&copy, set), flags);
}
