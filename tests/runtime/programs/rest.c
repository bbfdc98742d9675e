/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Works in a library, is seen in the program meanwhile and between two ticks, and then blocks
 * signals: the ticks of the rest belong to where the newest tick was, in the library.
 */
#include <signal.h>
#include <time.h>

unsigned long linked_work(unsigned long n);

static volatile unsigned long sink;

/* Milliseconds of CPU time. */
static long used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void work_until(long end)
{
	while (used() < end)
		for (int i = 0; i < 1000; i++)
			sink += (unsigned long)i;
}

int main(void)
{
	sigset_t all;

	while (used() < 220)
		sink += linked_work(10000);
	work_until(235);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	work_until(380);
	return 0;
}
