/* SPDX-License-Identifier: MIT */
/*
 * Not for -pg: has a handler and a timer of its own for SIGPROF, says what it sees of them, also in
 * a child, and dies of that signal in the end.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NS_MS = 1000000, TICK_US = 4000 };

static volatile sig_atomic_t seen;

static void count(int signal)
{
	(void)signal;
	seen++;
}

static void say(const char *what, int n)
{
	printf("%s %d\n", what, n);
	fflush(stdout);
}

static void use_ms(long ms)
{
	clock_t start = clock();

	while (clock() - start < ms * (CLOCKS_PER_SEC / 1000))
		;
}

int main(void)
{
	const struct itimerval often = { { 0, TICK_US }, { 0, TICK_US } }, never = { 0 };
	struct sigaction now;
	int status = 0;
	pid_t child;

	say("default", signal(SIGPROF, count) == SIG_DFL);
	sigaction(SIGPROF, NULL, &now);
	say("set", now.sa_handler == count);
	raise(SIGPROF);
	say("raised", seen);
	child = fork();
	if (child == 0) {
		raise(SIGPROF);
		_exit(seen);
	}
	waitpid(child, &status, 0);
	say("in a child", WEXITSTATUS(status));
	seen = 0;
	setitimer(ITIMER_PROF, &often, NULL);
	use_ms(150);
	setitimer(ITIMER_PROF, &never, NULL);
	say("own timer", seen > 3);
	memset(&now, 0, sizeof(now));
	now.sa_handler = SIG_DFL;
	sigaction(SIGPROF, &now, NULL);
	raise(SIGPROF);
	return 7;
}
