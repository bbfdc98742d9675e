/* SPDX-License-Identifier: MIT */
/*
 * A library with a profiler as gperftools has it: before main() it sets a handler of SIGPROF and a
 * timer of 100 ticks a second, and at the end it says how many came, and of how many that it is
 * due.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static volatile sig_atomic_t ticks, others;

static void count(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (signal == SIGPROF && info->si_code == SI_KERNEL)
		ticks++;
	else
		others++;
}

__attribute__((constructor)) static void begin(void)
{
	const struct itimerval often = { { 0, 10000 }, { 0, 10000 } };
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = count;
	action.sa_flags = SA_SIGINFO | SA_RESTART;
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &often, NULL);
}

__attribute__((destructor)) static void end(void)
{
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };

	setitimer(ITIMER_PROF, &never, NULL);
	fprintf(stderr, "own ticks: %d of %ld, others: %d\n", (int)ticks,
		(long)(clock() / (CLOCKS_PER_SEC / 100)), (int)others);
}
