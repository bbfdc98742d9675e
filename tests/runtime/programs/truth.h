/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For programs that know what a profile of them must say: lines "ARC CALLER CALLEE COUNT" on
 * stdout. Lines about the same arc are added up. A CALLER `*' is whoever it was.
 */
#ifndef TRUTH_H
#define TRUTH_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

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

#endif
