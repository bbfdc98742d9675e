/* SPDX-License-Identifier: MIT */
/*
 * Not for -pg: N threads, named w0, w1, ..., of which the first uses the processor time given in
 * milliseconds and each next one a quarter more; each prints its name and what it has used, in
 * seconds.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "used.h"

enum { MOST = 64, STEPS = 100000 };

static double used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double wanted[MOST];

static void *work(void *number)
{
	long i = (long)number;
	volatile unsigned sum = 0;
	char name[16];

	snprintf(name, sizeof(name), "w%ld", i);
	pthread_setname_np(pthread_self(), name);
	while (used_lately(CLOCK_THREAD_CPUTIME_ID) < wanted[i])
		for (int k = 0; k < STEPS; k++)
			sum += (unsigned)k;
	printf("%s %.4f\n", name, used());
	return NULL;
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[1]) : 0;
	pthread_t thread[MOST];

	for (long i = 0; i < n && i < MOST; i++) {
		wanted[i] = atof(argv[2]) / 1e3 * (1 + (double)i / 4);
		if (pthread_create(&thread[i], NULL, work, (void *)i) != 0)
			return 99;
	}
	for (long i = 0; i < n && i < MOST; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
