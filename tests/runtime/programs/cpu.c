/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cpu SECONDS...: a thread for each, which uses so much CPU time in a function of its own. Tells
 * "CPU FUNCTION SECONDS" for each, by the thread's clock.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "truth.h"
#include "used.h"

enum { MOST = 4, SECOND_NS = 1000000000 };

UNCOUNTED static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / SECOND_NS;
}

#define BURN(n)                                                        \
	APART void burn##n(double seconds)                             \
	{                                                              \
		volatile double x = 0;                                 \
                                                                       \
		while (used_lately(CLOCK_THREAD_CPUTIME_ID) < seconds) \
			for (int i = 0; i < 200000; i++)               \
				x = x + i;                             \
	}
BURN(0)
BURN(1)
BURN(2)
BURN(3)

struct job {
	void (*burn)(double seconds);
	double seconds, used;
};

APART void *work(void *argument)
{
	struct job *job = argument;

	job->burn(job->seconds);
	job->used = used();
	return NULL;
}

int main(int argc, char **argv)
{
	struct job jobs[MOST] = {
		{ .burn = burn0 }, { .burn = burn1 }, { .burn = burn2 }, { .burn = burn3 }
	};
	pthread_t thread[MOST];
	int n = argc - 1 < MOST ? argc - 1 : MOST;

	for (int i = 0; i < n; i++) {
		jobs[i].seconds = atof(argv[i + 1]);
		if (pthread_create(&thread[i], NULL, work, &jobs[i]))
			return 1;
	}
	for (int i = 0; i < n; i++) {
		pthread_join(thread[i], NULL);
		printf("CPU burn%d %.6f\n", i, jobs[i].used);
	}
	return 0;
}
