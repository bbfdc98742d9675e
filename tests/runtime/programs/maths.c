/* SPDX-License-Identifier: MIT */
/*
 * Not for -pg: three fifths of its processor time, which is given in milliseconds, are in the
 * library of mathematics, below mathematics(). Prints that share and all of the time, in seconds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STEPS = 2000 };

static double used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static volatile double result;

__attribute__((noinline)) void mathematics(double start)
{
	double sum = 0;

	for (int i = 1; i <= STEPS; i++)
		sum += pow(start + i, 1.7) + sin(sum);
	result = sum;
}

__attribute__((noinline)) void own(unsigned start)
{
	unsigned sum = start;

	for (int i = 0; i < STEPS * 10; i++)
		sum = sum * 1664525 + (sum >> 7);
	result = sum;
}

int main(int argc, char **argv)
{
	double all = argc > 1 ? atof(argv[1]) / 1e3 : 0.0, inside = 0.0, before, now = used();

	while (now < all) {
		before = now;
		if (inside < 0.6 * now)
			mathematics(now);
		else
			own((unsigned)(now * 1e9));
		now = used();
		if (inside < 0.6 * before)
			inside += now - before;
	}
	printf("%.4f %.4f\n", inside / now, now);
	return 0;
}
