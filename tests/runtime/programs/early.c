/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library whose constructor starts a thread, before constructors of preloaded libraries run.
 * early_end() lets it calculate for so many seconds of its CPU time, and waits for that.
 */
#include <pthread.h>
#include <time.h>

#include "used.h"

static pthread_t thread;
static pthread_mutex_t begin = PTHREAD_MUTEX_INITIALIZER;
static double seconds;

double early_end(double wanted);
void early_work(void);

void early_work(void)
{
	struct timespec used;
	volatile double x = 0;

	do {
		for (int i = 0; i < USED_STEPS; i++)
			x = x + 1;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	} while ((double)used.tv_sec + (double)used.tv_nsec / 1e9 < seconds);
}

static void *early_run(void *unused)
{
	pthread_mutex_lock(&begin);
	early_work();
	pthread_mutex_unlock(&begin);
	return unused;
}

__attribute__((constructor)) static void early_start(void)
{
	pthread_mutex_lock(&begin);
	pthread_create(&thread, NULL, early_run, NULL);
}

double early_end(double wanted)
{
	seconds = wanted;
	pthread_mutex_unlock(&begin);
	pthread_join(thread, NULL);
	return wanted;
}
