/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * snapshot [kill]: three threads use CPU time, each in a function of its own, below others and in
 * the C library. When they have ended, it stops the samples, copies gmon.out.live to the file copy,
 * and ends; or it kills itself.
 */
#include <fcntl.h>
#include <gmon.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

enum { NTHREADS = 3, NVALUES = 2000, TIMES = 50, BUFFER = 65536 };

static const double seconds = 0.3;

UNCOUNTED static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

APART int compare(const void *x, const void *y)
{
	int a = *(const int *)x, b = *(const int *)y;

	return (a > b) - (a < b);
}

APART void sort(void)
{
	int values[NVALUES];

	for (unsigned i = 0; i < NVALUES; i++)
		values[i] = (int)(i * 2654435761u);
	qsort(values, NVALUES, sizeof(values[0]), compare);
}

APART void spin(void)
{
	volatile double x = 0;

	for (int i = 0; i < 100000; i++)
		x = x + i;
}

APART void both(void)
{
	spin();
	sort();
}

static void (*const works[NTHREADS])(void) = { sort, spin, both };

/* Longer than a tick from one system call to the next: a thread whose turn is over goes at the end
 * of a call, else at a tick, which sees it. */
APART void *work(void *argument)
{
	void (*const *function)(void) = argument;

	while (used() < seconds)
		for (int i = 0; i < TIMES; i++)
			(*function)();
	return NULL;
}

UNCOUNTED static void copy_file(const char *from, const char *to)
{
	static char buffer[BUFFER];
	int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	ssize_t n;

	while ((n = read(in, buffer, sizeof(buffer))) > 0)
		if (write(out, buffer, (size_t)n) != n)
			_exit(99);
	if (n < 0)
		_exit(99);
}

int main(int argc, char **argv)
{
	pthread_t threads[NTHREADS];

	(void)argv;
	for (int i = 0; i < NTHREADS; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)&works[i]))
			return 99;
	for (int i = 0; i < NTHREADS; i++)
		pthread_join(threads[i], NULL);
	if (argc > 1)
		raise(SIGKILL);
	moncontrol(0); /* what is copied is all that there will be */
	copy_file("gmon.out.live", "copy");
	return 0;
}
