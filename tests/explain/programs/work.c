/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * work [HOW [SECONDS]]: computes for SECONDS of CPU time, 0.2 if not said. Profiles are lost in the
 * ways that HOW names, which are in perform(). main() calls solve(), that step(), and that mix(),
 * which is in a file of its own and takes nearly all of the time.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

#ifdef CHANGED
APART double smooth(double x)
{
	for (int i = 0; i < 20; i++)
		x = x / 2 + mix(x, 1) / 2;
	return x;
}
#endif

APART double step(double x)
{
	x = mix(x, 500);
#ifdef CHANGED
	x = smooth(x);
#endif
	return mix(x, 1500);
}

APART double solve(double seconds)
{
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	double x = 0;

	while (clock() < end)
		for (int i = 0; i < 50; i++)
			x = step(x);
	return x;
}

APART void fill(double seconds)
{
	static char room[1 << 24];
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	while (clock() < end)
		for (int i = 0; i < 20; i++) {
			memset(room, i, sizeof(room));
			__asm__ volatile("" ::: "memory");
		}
}

/* A function that nothing calls. */
APART double unused(double x)
{
	return mix(x, 1);
}

static void in_child(double seconds, int orderly)
{
	pid_t child = fork();

	if (child == 0) {
		solve(seconds);
		if (orderly)
			exit(0);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void perform(const char *how, double seconds)
{
	const struct itimerval none = { { 0, 0 }, { 0, 0 } };
	const struct timespec wait = { 0, 50000000 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	if (!strcmp(how, "block"))
		sigprocmask(SIG_BLOCK, &set, NULL);
	if (!strcmp(how, "ignore"))
		signal(SIGPROF, SIG_IGN);
	if (!strcmp(how, "timer"))
		setitimer(ITIMER_PROF, &none, NULL);
	if (!strcmp(how, "fork") || !strcmp(how, "child"))
		in_child(seconds, !strcmp(how, "child"));
	else if (!strcmp(how, "wait"))
		nanosleep(&wait, NULL);
	else if (!strcmp(how, "fill"))
		fill(seconds);
	else
		solve(seconds);
	step(0);
	if (!strcmp(how, "leave"))
		_exit(0);
	if (!strcmp(how, "exec"))
		execl("/bin/true", "true", (char *)NULL);
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	if (!strcmp(how, "chdir") && (mkdir("below", 0777) || chdir("below")))
		exit(1);
}

int main(int argc, char **argv)
{
	perform(argc > 1 ? argv[1] : "", argc > 2 ? atof(argv[2]) : 0.2);
	return 0;
}
