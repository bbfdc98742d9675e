/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queue THREADS MS: so many threads wait for one lock, which the first thread has, until it has
 * worked for MS milliseconds of elapsed time.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_THREADS = 200 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned sink;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((noinline)) static void work(double s)
{
	double end = now() + s;

	while (now() < end)
		for (unsigned i = 0; i < 10000; i++)
			sink += i;
}

static void *wait_for_lock(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread[MOST_THREADS];
	int n = argc > 2 ? atoi(argv[1]) : 0;

	if (n < 1 || n > MOST_THREADS)
		return 2;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, wait_for_lock, NULL))
			return 1;
	work(atoi(argv[2]) / 1000.0);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
