/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sections signals|reads CLOSED OPEN SECONDS: in turn, sections in which no sample can be taken and
 * others, until SECONDS of CPU time are used. `signals`: CLOSED is how many milliseconds all
 * signals are blocked; `reads`: how many megabytes one system call reads. OPEN milliseconds of
 * calculation follow. Tells "SECTION closed SECONDS" and the same of `open`, by the thread's clock,
 * and "SECTION ticks PERCENT": how many of the kernel's ticks that hit the program found it in a
 * closed section.
 *
 * On a busy machine, to read the thread's clock is to give the processor up, at a moment that the
 * kernel would not have chosen. So it is read around few of the open sections, which all do the
 * same in a step.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
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

/* CPU time of the thread by the kernel's ticks, in seconds. To read it disturbs nothing. */
UNCOUNTED static double by_ticks(void)
{
	enum { THIS_THREAD_TICKS = ~0 * 8 | 4 };
	struct timespec time;

	clock_gettime(THIS_THREAD_TICKS, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / SECOND_NS;
}

struct sums {
	double ms;           /* how long the open sections were to be */
	double seconds;      /* and how long some of them were, */
	double timed_ms;     /* which were to be so long */
	double closed_ticks; /* in seconds */
};

/* One section of each kind; `timed`: the open one is timed. */
static void take_turn(void (*close_one)(double), char **argv, int timed, struct sums *sums)
{
	double ms = atof(argv[3]) * (0.5 + drand48()), start = by_ticks();

	close_one(atof(argv[2]) * (0.5 + drand48()));
	sums->closed_ticks += by_ticks() - start;
	sums->ms += ms;
	if (timed)
		start = used();
	open_part(ms);
	if (timed) {
		sums->seconds += used() - start;
		sums->timed_ms += ms;
	}
}

int main(int argc, char **argv)
{
	enum { TIMED_EACH = 16 };
	struct sums sums = { 0, 0, 0, 0 };
	double start, ticks, total, open_time;
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
	ticks = by_ticks();
	do {
		for (int i = 0; i < TIMED_EACH; i++)
			take_turn(close_one, argv, i == 0, &sums);
		total = used() - start;
	} while (total < atof(argv[4]));
	ticks = by_ticks() - ticks;
	open_time = sums.seconds * sums.ms / sums.timed_ms;
	printf("SECTION closed %.6f\nSECTION open %.6f\n", total - open_time, open_time);
	printf("SECTION ticks %.2f\n", 100 * sums.closed_ticks / ticks);
	return 0;
}
