/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Children of fork() that mostly wait, each in a function of its own. Each prints how long it
 * waited: "WAIT name microseconds". They have used no CPU time before, so that a sampling clock has
 * not found them yet.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone)) static

enum { SLEEP_US = 300000, WORK_MS = 100 };

static int nothing[2];

static long since(const struct timespec *start, clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (now.tv_sec - start->tv_sec) * 1000000 + (now.tv_nsec - start->tv_nsec) / 1000;
}

/* What waits is ended by its parent. */
ALONE void wait_alone(void)
{
	char byte;

	if (read(nothing[0], &byte, 1) != 0)
		_exit(1);
}

ALONE void wait_first(void)
{
	wait_alone();
}

/* Of a child of a child, which has used no time either when it forks. */
ALONE void wait_below(void)
{
	wait_alone();
}

ALONE void work(void)
{
	struct timespec start;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	while (since(&start, CLOCK_PROCESS_CPUTIME_ID) < WORK_MS * 1000)
		;
}

/* Runs in a child, which waits until the parent closes the pipe. */
static void begin(const char *name, void (*wait)(void), void (*then)(void))
{
	struct timespec start;

	if (fork() != 0)
		return;
	close(nothing[1]);
	clock_gettime(CLOCK_MONOTONIC, &start);
	wait();
	printf("WAIT %s %ld\n", name, since(&start, CLOCK_MONOTONIC));
	fflush(stdout);
	then();
	exit(0);
}

static void nothing_more(void)
{
}

int main(void)
{
	if (pipe(nothing) != 0)
		return 1;
	fflush(stdout);
	begin("wait_alone", wait_alone, nothing_more);
	begin("wait_first", wait_first, work);
	if (fork() == 0) {
		begin("wait_below", wait_below, nothing_more);
		close(nothing[1]);
		while (wait(NULL) > 0)
			;
		exit(0);
	}
	usleep(SLEEP_US);
	close(nothing[1]);
	while (wait(NULL) > 0)
		;
	return 0;
}
