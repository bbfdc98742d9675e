/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * taken MS: what a program of MS milliseconds loses to its start, to the kernel's ticks and to its
 *end, in microseconds. A child runs the same file: below a stack of some depth, it reads the clock
 *without a pause. Two readings that lie further apart than a reading takes were interrupted: by the
 *tick of a processor's timer, with the signals and handlers that it brings, or by anything else on
 *the machine. Prints
 *
 *	START TICK END
 *
 * START: CPU time of the child when its main() begins, so of exec(), of the dynamic linker and of
 *constructors; TICK: the tick's period has PARTS; the part whose longest interruption in a period
 *is longest, in the median of all periods, is that of the tick, and this median is what a tick
 *takes; END: CPU time of the child after that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH = 12, PARTS = 40, MOST_TICKS = 10000 };

/* Nanoseconds: the longest time between two readings, by part and by period. */
static long long longest[PARTS][MOST_TICKS];

static long long now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	long long x = *(const long long *)a;
	long long y = *(const long long *)b;

	return (x > y) - (x < y);
}

/* Reads the clock for TICKS periods of PERIOD nanoseconds; not a tail call, so that each depth has
 * its frame. */
__attribute__((noinline)) static long look(int depth, long ticks, long period)
{
	if (depth > 0)
		return look(depth - 1, ticks, period) + (depth < 0);

	long long start = now(CLOCK_MONOTONIC);
	long long end = start + ticks * period;
	for (long long time = start, last = start; time < end; last = time) {
		time = now(CLOCK_MONOTONIC);
		long long *most =
			&longest[(last - start) % period * PARTS / period][(last - start) / period];
		if (*most < time - last)
			*most = time - last;
	}
	return ticks;
}

/* In the child: START, TICK and the CPU time so far, to the descriptor OUT. */
static int run(int out, long milliseconds)
{
	struct timespec tick;
	long long figures[3] = { now(CLOCK_PROCESS_CPUTIME_ID), 0, 0 };

	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	long ticks = milliseconds * 1000000 / tick.tv_nsec;
	if (ticks < 1 || ticks > MOST_TICKS || look(DEPTH, ticks, tick.tv_nsec) != ticks)
		return 1;
	for (int part = 0; part < PARTS; part++) {
		qsort(longest[part], (size_t)ticks, sizeof longest[part][0], compare);
		if (figures[1] < longest[part][ticks / 2])
			figures[1] = longest[part][ticks / 2];
	}
	figures[2] = now(CLOCK_PROCESS_CPUTIME_ID);
	return write(out, figures, sizeof figures) != sizeof figures;
}

static long long nanoseconds(struct timeval time)
{
	return time.tv_sec * 1000000000LL + time.tv_usec * 1000LL;
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return run(atoi(argv[2]), atol(argv[1]));
	if (argc != 2)
		return 2;

	int ends[2];
	if (pipe(ends) != 0)
		return 2;
	pid_t child = fork();
	if (child == 0) {
		char out[16];
		snprintf(out, sizeof out, "%d", ends[1]);
		execl(argv[0], argv[0], argv[1], out, (char *)NULL);
		_exit(127);
	}

	int status;
	struct rusage used;
	long long figures[3];
	if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0 ||
	    read(ends[0], figures, sizeof figures) != sizeof figures)
		return 1;
	long long whole = nanoseconds(used.ru_utime) + nanoseconds(used.ru_stime);
	printf("%.1f %.1f %.1f\n", (double)figures[0] / 1e3, (double)figures[1] / 1e3,
	       (double)(whole - figures[2]) / 1e3);
	return 0;
}
