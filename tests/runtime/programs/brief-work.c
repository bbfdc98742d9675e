/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * brief-work N NS: N threads, one after the other, each of which uses NS ns of CPU time: 70 percent
 * of it in `first`, the rest in `last`. Tells "CPU FUNCTION SECONDS" for both.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

enum { SECOND_NS = 1000000000 };

static int64_t each;
static int64_t sums[2];

UNCOUNTED static inline __attribute__((always_inline)) int64_t used(void)
{
	struct timespec time;

	syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time);
	return (int64_t)time.tv_sec * SECOND_NS + time.tv_nsec;
}

#define PART(name, n)                                            \
	APART void name(int64_t end)                             \
	{                                                        \
		int64_t begin = used(), now = begin;             \
                                                                 \
		while (now < end) {                              \
			for (volatile int i = 0; i < 50000; i++) \
				;                                \
			now = used();                            \
		}                                                \
		sums[n] += now - begin;                          \
	}
PART(first, 0)
PART(last, 1)

APART void *work(void *argument)
{
	int64_t begin = used();

	first(begin + each * 7 / 10);
	last(begin + each);
	return argument;
}

int main(int argc, char **argv)
{
	(void)argc;
	each = atol(argv[2]);
	for (long i = atol(argv[1]); i > 0; i--) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, work, NULL))
			return 1;
		pthread_join(thread, NULL);
	}
	printf("CPU first %.6f\nCPU last %.6f\n", (double)sums[0] / SECOND_NS,
	       (double)sums[1] / SECOND_NS);
	return 0;
}
