/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * periodic NS[r] SECONDS PERCENT...: uses so much CPU time in periods of NS ns, or with r of random
 * lengths of NS on average. In each, the functions part0, part1... have a share of PERCENT, one
 * after the other, and `rest` what is left; all by the thread's clock, from its start on. Tells
 * "CPU FUNCTION SECONDS" for each.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

enum { MOST = 10, SECOND_NS = 1000000000 };

/* The time that it takes is the caller's, mostly. */
UNCOUNTED static inline __attribute__((always_inline)) int64_t used(void)
{
	struct timespec time;

	syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time);
	return (int64_t)time.tv_sec * SECOND_NS + time.tv_nsec;
}

/* Until the clock is at `end`; looks at it each few microseconds. Adds what was used to *sum. */
#define PART(name)                                               \
	APART void name(int64_t end, int64_t *sum)               \
	{                                                        \
		int64_t begin = used(), now = begin;             \
                                                                 \
		while (now < end) {                              \
			for (volatile int i = 0; i < 50000; i++) \
				;                                \
			now = used();                            \
		}                                                \
		*sum += now - begin;                             \
	}
PART(part0)
PART(part1)
PART(part2)
PART(part3)
PART(part4)
PART(part5)
PART(part6)
PART(part7)
PART(part8)
PART(part9)
PART(rest)

int main(int argc, char **argv)
{
	static void (*const part[])(int64_t, int64_t *) = { part0, part1, part2, part3, part4,
							    part5, part6, part7, part8, part9 };
	int64_t length = atol(argv[1]), begin = used(), period = length;
	int is_random = strchr(argv[1], 'r') != NULL;
	int64_t end = begin + (int64_t)(atof(argv[2]) * SECOND_NS);
	int64_t sum[MOST] = { 0 }, left = 0;
	int n = argc - 3 < MOST ? argc - 3 : MOST;

	srand48((long)begin);
	for (; begin < end; begin += period) {
		double at = 0;

		if (is_random)
			period = (int64_t)((0.2 + 1.6 * drand48()) * (double)length);
		for (int i = 0; i < n; i++) {
			at += atof(argv[3 + i]) / 100;
			part[i](begin + (int64_t)(at * (double)period), &sum[i]);
		}
		rest(begin + period, &left);
	}
	for (int i = 0; i < n; i++)
		printf("CPU part%d %.6f\n", i, (double)sum[i] / SECOND_NS);
	printf("CPU rest %.6f\n", (double)left / SECOND_NS);
	return 0;
}
