/* SPDX-License-Identifier: MIT */
/*
 * For loops that go on until they have used so much CPU time.
 */
#ifndef USED_H
#define USED_H

#include <time.h>

/* Steps of a loop that adds up in memory, between two looks at a CPU clock: they take some
 * milliseconds, for the reason below. Unlike used_lately(), this is for after fork(), too.
 */
enum { USED_STEPS = 2000000 };

/* The CPU time of this thread (CLOCK_THREAD_CPUTIME_ID) or process (CLOCK_PROCESS_CPUTIME_ID) in
 * seconds, or what it was up to 10 ms of elapsed time ago. A thread calls it for one clock
 * only, and not after fork(): a new process has its own.
 *
 * When a CPU clock is read, the kernel sees that a thread's turn is over, and takes the processor
 * from it; else it does so at a tick. So a thread that reads it all the time may run between ticks
 * only, beside busy loops, where no timer of CPU time sees it. CLOCK_MONOTONIC is no system call.
 */
static inline __attribute__((no_instrument_function, always_inline)) double used_lately(
	clockid_t clock)
{
	static __thread double asked, used;
	struct timespec t;
	double now;

	clock_gettime(CLOCK_MONOTONIC, &t);
	now = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
	if (now - asked >= 0.01) {
		asked = now;
		clock_gettime(clock, &t);
		used = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
	}
	return used;
}

#endif
