/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sections signals|reads CLOSED OPEN SECONDS: in turn, sections in which no sample can be taken and
 * others, until SECONDS of CPU time are used. `signals`: CLOSED is how many milliseconds all
 * signals are blocked; `reads`: how many megabytes one system call reads. OPEN milliseconds of
 * calculation follow. Tells "SECTION closed SECONDS" and the same of `open`, by the thread's clock,
 * and "SECTION kernel PERCENT": of the time by the kernel's ticks, as getrusage() has it, what they
 * found in the kernel.
 *
 * On a busy machine, to read the thread's clock is to give the processor up, at a moment that the
 * kernel would not have chosen. So it is read around few of the open sections, which all do the
 * same in a step.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

enum { SECOND_NS = 1000000000, MEGABYTE = 1 << 20, STEPS = 1000, MOST_PARTS = 1024 };

static double steps_a_ms; /* how often calculate() takes STEPS steps in a millisecond */
static char buffer[MEGABYTE];
static int zero;

UNCOUNTED static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / SECOND_NS;
}

UNCOUNTED static inline __attribute__((always_inline)) void calculate(double steps)
{
	volatile double x = 0;

	for (long n = (long)(steps * STEPS); n > 0; n--)
		x = x + 1;
}

APART void closed(double ms)
{
	sigset_t all, old;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	calculate(ms * steps_a_ms);
	sigprocmask(SIG_SETMASK, &old, NULL);
	NO_TAIL_CALL;
}

APART void closed_read(double megabytes)
{
	struct iovec part[MOST_PARTS];
	int n = 0;

	while (n < megabytes && n < MOST_PARTS)
		part[n++] = (struct iovec){ buffer, MEGABYTE };
	if (readv(zero, part, n) < 0)
		exit(2);
	NO_TAIL_CALL;
}

APART void open_part(double ms)
{
	calculate(ms * steps_a_ms);
}

/* How fast the machine is, now. */
UNCOUNTED static void measure(void)
{
	enum { TRIED = 20000 };
	double start = used();

	calculate(TRIED);
	steps_a_ms = TRIED / (used() - start) / 1000;
}

/* CPU time by the kernel's ticks, or its part in the kernel, in seconds. */
UNCOUNTED static double by_ticks(int in_program)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_stime.tv_sec + in_program * usage.ru_utime.tv_sec) +
	       (double)(usage.ru_stime.tv_usec + in_program * usage.ru_utime.tv_usec) / 1e6;
}

/* One section of each kind; returns how long the open one was to be. */
static double take_turn(void (*close_one)(double), char **argv, double *seconds)
{
	double ms = atof(argv[3]) * (0.5 + drand48()), start = 0;

	close_one(atof(argv[2]) * (0.5 + drand48()));
	if (seconds)
		start = used();
	open_part(ms);
	if (seconds)
		*seconds += used() - start;
	return ms;
}

int main(int argc, char **argv)
{
	enum { READ_EACH = 16 };
	double all = 0, timed = 0, seconds = 0, start, total, open_time, kernel, both;
	void (*close_one)(double) = closed;

	if (argc < 5)
		return 2;
	if (strcmp(argv[1], "reads") == 0) {
		zero = open("/dev/zero", O_RDONLY);
		close_one = closed_read;
	}
	srand48(time(NULL));
	measure();
	start = used();
	kernel = by_ticks(0);
	both = by_ticks(1);
	do {
		double ms = take_turn(close_one, argv, &seconds);

		timed += ms;
		all += ms;
		total = used() - start;
		for (int i = 1; i < READ_EACH; i++)
			all += take_turn(close_one, argv, NULL);
	} while (total < atof(argv[4]));
	total = used() - start;
	open_time = seconds * all / timed;
	printf("SECTION closed %.6f\nSECTION open %.6f\n", total - open_time, open_time);
	printf("SECTION kernel %.1f\n", 100 * (by_ticks(0) - kernel) / (by_ticks(1) - both));
	return 0;
}
