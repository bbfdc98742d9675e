/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * guest-threads N MICROSECONDS: N threads, four at a time, that calculate for so long each. Tells
 * "USED SECONDS", the CPU time of the process. With EARLY, instead: a second of a thread that a
 * library has started.
 */
#include <pthread.h>
#include <stdlib.h>

#include "truth.h"

enum { AT_ONCE = 4, TRIED = 20000000 };

static double steps;

APART void calculate(double n)
{
	volatile double x = 0;

	for (long i = (long)n; i > 0; i--)
		x = x + 1;
}

static void *brief(void *argument)
{
	calculate(steps);
	return argument;
}

#ifdef EARLY
double early_end(double wanted);
#endif

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;
	pthread_t thread[AT_ONCE];
	clock_t start = clock();

#ifdef EARLY
	early_end(1);
#endif
	if (argc > 2 && atof(argv[2]) > 0) {
		calculate(TRIED);
		steps = atof(argv[2]) * TRIED / ((double)(clock() - start) / CLOCKS_PER_SEC * 1e6);
	}
	for (long i = 0; i < n; i += AT_ONCE) {
		for (int k = 0; k < AT_ONCE; k++)
			if (pthread_create(&thread[k], NULL, brief, NULL))
				return 2;
		for (int k = 0; k < AT_ONCE; k++)
			pthread_join(thread[k], NULL);
	}
	used_seconds();
	return 0;
}
