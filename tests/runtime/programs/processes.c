/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * processes HOW: starts another process in that way. What a child does is told in the file `child',
 * its number in `pid'.
 */
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

extern char **environ;
extern char __executable_start, etext;

/* Not there where libgmon is preloaded. */
void _mcleanup(void) __attribute__((weak));
void monstartup(unsigned long low, unsigned long high) __attribute__((weak));

enum { BEFORE = 1000, IN_CHILD = 500, AFTER = 200, IN_VFORK = 7 };

/* A shell that is busy for some time. */
static char script[] = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
static char *const command[] = { "sh", "-c", script, NULL };

APART void leaf(void)
{
	__asm__ volatile("");
}

#define WORK(name)                          \
	APART void name(int n)              \
	{                                   \
		for (int i = 0; i < n; i++) \
			leaf();             \
		NO_TAIL_CALL;               \
	}
WORK(work)
WORK(child_work)
WORK(thread_work)

static clock_t burnt; /* by this process in burn() */

APART double burn(double seconds)
{
	clock_t begin = clock(), now = begin;
	volatile double x = 0;

	while (now < begin + (clock_t)(seconds * CLOCKS_PER_SEC)) {
		for (int i = 0; i < 200000; i++)
			x = x + i;
		now = clock();
	}
	burnt += now - begin;
	return x;
}

UNCOUNTED static void tell_burnt(void)
{
	printf("BURNT %.3f\n", (double)burnt / CLOCKS_PER_SEC);
}

APART void *busy(void *argument)
{
	for (;;)
		thread_work(10);
	return argument;
}

APART void in_child(double seconds)
{
	FILE *pid = fopen("pid", "w");

	fprintf(pid, "%ld\n", (long)getpid());
	fclose(pid);
	child_work(IN_CHILD);
	burnt = 0;
	if (seconds > 0)
		burn(seconds);
	if (!freopen("child", "w", stdout))
		_exit(99);
	tell_burnt();
	arc("in_child", "child_work", 1);
	arc("child_work", "leaf", IN_CHILD);
	exit(0);
}

UNCOUNTED static int wait_for(pid_t pid)
{
	int status = 99;

	waitpid(pid, &status, 0);
	return status;
}

/* With fork(). */
UNCOUNTED static int start_fork(const char *how)
{
	bool stopped = !strcmp(how, "stopped");
	pid_t pid;

	if (stopped)
		_mcleanup();
	if (!strcmp(how, "burn")) {
		burn(0.3);
		tell_burnt();
		fflush(stdout);
	}
	pid = fork();
	if (pid)
		return wait_for(pid);
	for (int i = 1; i < SIGRTMAX && !strcmp(how, "defaults"); i++)
		signal(i, SIG_DFL);
	if (stopped)
		monstartup((unsigned long)&__executable_start, (unsigned long)&etext);
	in_child(strcmp(how, "fork") && strcmp(how, "threads") ? 0.5 : 0);
	return 99;
}

/* Children that go on to another program, early, but not before there was a look at them. */
UNCOUNTED static int start_children(void)
{
	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();

		if (!pid) {
			child_work(IN_CHILD);
			burn(0.01);
			execlp("true", "true", NULL);
			_exit(99);
		}
		if (wait_for(pid))
			return 99;
	}
	return 0;
}

/* One with two threads that is killed. */
UNCOUNTED static int start_killed(void)
{
	pthread_t thread;
	pid_t pid = fork();

	if (!pid) {
		child_work(IN_CHILD);
		if (pthread_create(&thread, NULL, busy, NULL))
			_exit(99);
		burn(0.2);
		kill(getpid(), SIGKILL);
	}
	return wait_for(pid) != SIGKILL;
}

UNCOUNTED static int start(const char *how)
{
	pthread_t thread;
	pid_t pid;

	if (!strcmp(how, "threads"))
		for (int i = 0; i < 4; i++)
			if (pthread_create(&thread, NULL, busy, NULL))
				return 99;
	if (!strcmp(how, "fork") || !strcmp(how, "burn") || !strcmp(how, "threads") ||
	    !strcmp(how, "defaults") || !strcmp(how, "stopped"))
		return start_fork(how);
	if (!strcmp(how, "vfork")) {
		pid = vfork();
		if (!pid) {
			work(IN_VFORK);
			_exit(0);
		}
		return wait_for(pid);
	}
	if (!strcmp(how, "raw")) {
		/* Nobody is told of it. */
		pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
		if (!pid) {
			work(IN_CHILD);
			exit(0);
		}
		return wait_for(pid);
	}
	if (!strcmp(how, "system"))
		return system(script);
	if (!strcmp(how, "spawn"))
		return posix_spawnp(&pid, "sh", NULL, NULL, command, environ) || wait_for(pid);
	if (!strcmp(how, "children"))
		return start_children();
	if (!strcmp(how, "killed"))
		return start_killed();
	if (!strcmp(how, "exec")) {
		burn(0.1);
		execvp("sh", command);
	}
	if (!strcmp(how, "again")) {
		burn(0.1);
		execl("./a.out", "a.out", "fork", NULL);
	}
	return 99;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "fork";
	int more = strcmp(how, "vfork") ? 0 : IN_VFORK;

	work(BEFORE);
	if (start(how))
		return 1;
	work(AFTER);
	if (!strcmp(how, "threads"))
		return 0;
	arc("main", "work", 2);
	if (more)
		arc("start", "work", 1);
	arc("work", "leaf", BEFORE + AFTER + more);
	return 0;
}
