/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * no-timers [used]: allows for no more pending signals, so that no timer can be made, and starts
 * two threads, each of which uses 0.4 s of CPU time in a function of its own; main uses what its
 * start leaves of 0.2 s, and tells how much. `used`: the program has ITIMER_PROF itself.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#include "truth.h"
#include "used.h"

UNCOUNTED static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#define BURN(name)                                                     \
	APART void name(double seconds)                                \
	{                                                              \
		while (used_lately(CLOCK_THREAD_CPUTIME_ID) < seconds) \
			for (volatile int i = 0; i < 200000; i++)      \
				;                                      \
	}
BURN(own)
BURN(one)
BURN(other)

APART void *work_one(void *argument)
{
	one(0.4);
	return argument;
}

APART void *work_other(void *argument)
{
	other(0.4);
	return argument;
}

int main(int argc, char **argv)
{
	const struct itimerval long_time = { { 0, 0 }, { 1000, 0 } };
	const struct rlimit none = { 0, 0 };
	pthread_t thread[2];
	double since;

	(void)argv;
	if (argc > 1)
		setitimer(ITIMER_PROF, &long_time, NULL);
	setrlimit(RLIMIT_SIGPENDING, &none);
	if (pthread_create(&thread[0], NULL, work_one, NULL) ||
	    pthread_create(&thread[1], NULL, work_other, NULL))
		return 1;
	since = used();
	own(0.2);
	printf("OWN %.4f\n", used() - since);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return 0;
}
