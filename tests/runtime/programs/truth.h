/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For programs that know what a profile of them must say: lines "ARC CALLER CALLEE COUNT" on
 * stdout. Lines about the same arc are added up. A CALLER `*' is whoever it was.
 */
#ifndef TRUTH_H
#define TRUTH_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define UNCOUNTED __attribute__((no_instrument_function))

/* A function that is called where the source calls it. */
#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noipa))
#endif

/* At the end of a function: the call before is no jump. */
#define NO_TAIL_CALL __asm__ volatile("")

/* Who calls back from a library: gprof says `_start' where the library is no part of the program.
 */
#ifndef OUTSIDE
#define OUTSIDE "_start"
#endif

UNCOUNTED static inline void arc(const char *caller, const char *callee, uint64_t count)
{
	printf("ARC %s %s %llu\n", caller, callee, (unsigned long long)count);
}

/* What sampled_all of tests/runtime/lib.sh compares the samples with. */
UNCOUNTED static inline void used_seconds(void)
{
	printf("USED %.3f\n", (double)clock() / CLOCKS_PER_SEC);
}

/* How long the calling thread was ready to run, but had no processor, in seconds as the kernel
 * counts them; that is no waiting. 0 where the kernel does not tell. */
UNCOUNTED static inline double runnable_seconds(void)
{
	int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	char line[128];
	ssize_t n = read(file, line, sizeof(line) - 1);
	unsigned long long ns = 0;

	close(file);
	line[n > 0 ? n : 0] = '\0';
	return sscanf(line, "%*s %llu", &ns) == 1 ? (double)ns / 1e9 : 0;
}

#endif
