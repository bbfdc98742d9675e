/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sections signals|reads CLOSED OPEN SECONDS: in turn, sections in which no sample can be taken and
 * others, until SECONDS of CPU time are used. `signals`: CLOSED is how many milliseconds all
 * signals are blocked; `reads`: how many megabytes one system call reads. OPEN milliseconds of
 * calculation follow. Tells "SECTION closed SECONDS" and the same of `open`, by the thread's clock.
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

int main(int argc, char **argv)
{
	double with[2] = { 0, 0 }, total, now;
	void (*close_one)(double) = closed;

	if (argc < 5)
		return 2;
	if (strcmp(argv[1], "reads") == 0) {
		zero = open("/dev/zero", O_RDONLY);
		close_one = closed_read;
	}
	srand48(time(NULL));
	measure();
	total = now = used();
	while (now - total < atof(argv[4])) {
		double then;

		close_one(atof(argv[2]) * (0.5 + drand48()));
		then = used();
		open_part(atof(argv[3]) * (0.5 + drand48()));
		with[0] += then - now;
		now = used();
		with[1] += now - then;
	}
	printf("SECTION closed %.6f\nSECTION open %.6f\n", with[0], with[1]);
	return 0;
}
