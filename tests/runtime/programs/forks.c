/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * forks HOW [thread]: parent and child start, stop and pause their recordings by themselves, while
 * the other one makes calls; `thread': it is not the first thread that forks. What the child's
 * profile must say is told in the file `child', its number in `pid'.
 */
#include <gmon.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"
#include "used.h"

#pragma weak _Fork
pid_t _Fork(void);

extern char __executable_start, etext;

enum { BEFORE = 1000, IN_CHILD = 500, PAUSED = 40, AFTER = 200, AT_ONCE = 30 };

static int to_child[2], to_parent[2];
/* Calls of work() and of leaf() by it that are to be in the profile of this process. */
static uint64_t works, leaves;

APART void leaf(void)
{
	__asm__ volatile("");
}

APART void work(int n)
{
	for (int i = 0; i < n; i++)
		leaf();
	NO_TAIL_CALL;
}

UNCOUNTED static void counted(int n)
{
	work(n);
	works++;
	leaves += (uint64_t)n;
}

/* Lets the other process take its turn, and waits for it. */
UNCOUNTED static void take_turns(const int to[2], const int from[2])
{
	char turn = 0;

	if (write(to[1], &turn, 1) != 1 || read(from[0], &turn, 1) != 1)
		_exit(98);
}

UNCOUNTED static void start(void)
{
	monstartup((unsigned long)&__executable_start, (unsigned long)&etext);
}

static clock_t burnt;  /* in the last burn() */
static clock_t paused; /* while no samples were taken */

APART void burn(double seconds)
{
	clock_t begin = clock(), now = begin;
	volatile double x = 0;

	while (now < begin + (clock_t)(seconds * CLOCKS_PER_SEC)) {
		for (int i = 0; i < USED_STEPS; i++)
			x = x + i;
		now = clock();
	}
	burnt = now - begin;
}

/* Whose caller is nobody that is counted. */
UNCOUNTED static void tell(void)
{
	arc("*", "work", works);
	arc("work", "leaf", leaves);
	printf("BURNT %.3f\nPAUSED %.3f\n", (double)burnt / CLOCKS_PER_SEC,
	       (double)paused / CLOCKS_PER_SEC);
}

/* Each turn is one in which the parent makes calls, too. */
UNCOUNTED static void pause_in_child(void)
{
	counted(IN_CHILD);
	moncontrol(0);
	work(PAUSED);
	burn(0.3);
	paused += burnt;
	take_turns(to_parent, to_child);
	work(PAUSED);
	moncontrol(1);
	take_turns(to_parent, to_child);
	counted(IN_CHILD);
	burn(0.3);
}

UNCOUNTED static void start_in_child(void)
{
	counted(IN_CHILD);
	_mcleanup();
	take_turns(to_parent, to_child);
	work(PAUSED);
	start();
	works = leaves = 0;
	take_turns(to_parent, to_child);
	counted(AFTER);
	start(); /* no more than the first */
	counted(AFTER);
}

/* Forked while the parent was paused. */
UNCOUNTED static void resume_in_child(void)
{
	work(PAUSED);
	take_turns(to_parent, to_child);
	moncontrol(1);
	counted(IN_CHILD);
	take_turns(to_parent, to_child);
	counted(AFTER);
}

/* A child of which nobody has been told: it is no recording's process, whatever it asks for. */
UNCOUNTED static void count_nowhere(void)
{
	work(IN_CHILD);
	burn(0.1);
	moncontrol(0);
	moncontrol(1);
	work(IN_CHILD);
	take_turns(to_parent, to_child);
	start();
	work(IN_CHILD);
	_mcleanup();
	start();
	work(IN_CHILD);
	take_turns(to_parent, to_child);
}

static const struct way {
	const char *name;
	void (*child)(void);
	int paused; /* the parent, while it forks */
	int plain;  /* by _Fork() */
} ways[] = {
	{ "pause", pause_in_child, 0, 0 },
	{ "start", start_in_child, 0, 0 },
	{ "resume", resume_in_child, 1, 0 },
	{ "plain", count_nowhere, 0, 1 },
};

UNCOUNTED static void in_child(const struct way *way)
{
	FILE *pid = fopen("pid", "w");

	fprintf(pid, "%ld\n", (long)getpid());
	fclose(pid);
	works = leaves = 0;
	way->child();
	if (!freopen("child", "w", stdout))
		_exit(99);
	tell();
	exit(0);
}

/* Two turns, with calls on both sides of each. */
UNCOUNTED static void in_parent(const struct way *way)
{
	char turn = 0;

	for (int i = 0; i < 2; i++) {
		if (read(to_parent[0], &turn, 1) != 1)
			_exit(98);
		if (way->paused && i == 0)
			work(AT_ONCE);
		else
			counted(AT_ONCE);
		if (way->paused && i == 0)
			moncontrol(1);
		if (write(to_child[1], &turn, 1) != 1)
			_exit(98);
	}
}

UNCOUNTED static void *fork_and_wait(void *argument)
{
	const struct way *way = argument;
	int status = 99;
	pid_t pid;

	if (way->paused)
		moncontrol(0);
	pid = way->plain ? _Fork() : fork();
	if (!pid)
		in_child(way);
	in_parent(way);
	waitpid(pid, &status, 0);
	return (void *)(intptr_t)status;
}

int main(int argc, char **argv)
{
	const struct way *way = ways;
	pthread_t thread;
	void *status = NULL;

	while (argc > 1 && strcmp(way->name, argv[1]) != 0)
		way++;
	if (way->plain && !_Fork)
		return 77;
	if (pipe(to_child) || pipe(to_parent))
		return 99;
	counted(BEFORE);
	if (argc <= 2)
		status = fork_and_wait((void *)way);
	else if (pthread_create(&thread, NULL, fork_and_wait, (void *)way) ||
		 pthread_join(thread, &status))
		return 99;
	counted(AFTER);
	tell();
	return status != NULL;
}
