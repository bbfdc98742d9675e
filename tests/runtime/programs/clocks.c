/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * clocks WHAT: does WHAT to the signal or the timer that samples come by, then uses 0.5 s of CPU
 * time.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "truth.h"
#include "used.h"

static volatile int nsignals;

static void count(int number)
{
	(void)number;
	nsignals++;
}

/* Whether errno stays what it is. */
APART int burn(double seconds)
{
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	volatile double x = 0;
	int changes = 0;

	while (clock() < end) {
		errno = 77;
		for (int i = 0; i < USED_STEPS; i++)
			x = x + i;
		changes += errno != 77;
	}
	return changes;
}

APART char *in_library(double seconds)
{
	static char room[1 << 20];
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	while (clock() < end)
		for (int i = 0; i < 100; i++) {
			memset(room, i, sizeof(room));
			__asm__ volatile("" ::: "memory");
		}
	return room;
}

/* What samples come by waits most of the time, so each stands for about ten. */
static int burn_in_pieces(const sigset_t *set)
{
	int changes = 0;

	for (int i = 0; i < 12; i++) {
		sigprocmask(SIG_BLOCK, set, NULL);
		changes += burn(0.04);
		sigprocmask(SIG_UNBLOCK, set, NULL);
	}
	return changes;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	const struct itimerval none = { { 0, 0 }, { 0, 0 } };
	struct itimerval old = none;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	if (!strcmp(what, "library")) {
		in_library(0.5);
		return 0;
	}
	if (!strcmp(what, "pieces"))
		return burn_in_pieces(&set) ? 3 : 0;
	if (!strcmp(what, "block"))
		sigprocmask(SIG_BLOCK, &set, NULL);
	if (!strcmp(what, "ignore"))
		signal(SIGPROF, SIG_IGN);
	if (!strcmp(what, "default"))
		signal(SIGPROF, SIG_DFL);
	if (!strcmp(what, "handle"))
		signal(SIGPROF, count);
	if (!strcmp(what, "timer") &&
	    (setitimer(ITIMER_PROF, &none, &old) || old.it_interval.tv_usec))
		return 2;
	if (burn(0.5))
		return 3;
	used_seconds();
	return nsignals != 0;
}
