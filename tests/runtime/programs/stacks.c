/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stacks WHAT [ARGUMENT]: spends CPU time on known call stacks, and prints lines "PATH SECONDS
 * STACK" with what the clock of the thread says of each: STACK is the end of it, outermost function
 * first.
 *
 *   shares              one function for two callers, one of which costs more
 *   threads N           N threads at once, called t0, t1, ..., each in a function of its own kind
 *   row N               the same, one after the other
 *   fork                a child has another stack than its parent
 *   deep N              a recursion N deep
 *   wide SECONDS        ever new stacks
 *   calls SECONDS       nearly nothing but calls
 *   plugins DIR         a.so and b.so of DIR, which have one address in turn
 *   pauses              a paused part, and one that gmon_reset() forgets
 *   dumps N             N dumps by SIGUSR1 while it works
 *   endless             says "ready", and works until it is killed
 */
#include <dlfcn.h>
#include <gmon.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

#pragma weak gmon_reset
#pragma weak moncontrol

UNCOUNTED static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

APART void leaf(double seconds)
{
	double until = used() + seconds;
	volatile double x = 0;

	while (used() < until)
		for (int i = 0; i < 20000; i++)
			x = x + i;
}

UNCOUNTED static void say(double since, const char *stack)
{
	printf("PATH %.4f %s\n", used() - since, stack);
	fflush(stdout);
}

APART void cheap(void)
{
	double since = used();

	leaf(0.06);
	say(since, "main;shares;cheap;leaf");
}

APART void costly(void)
{
	double since = used();

	leaf(0.3);
	say(since, "main;shares;costly;leaf");
}

APART void shares(void)
{
	cheap();
	costly();
	NO_TAIL_CALL;
}

APART void odd(void)
{
	leaf(0.03);
	NO_TAIL_CALL;
}

APART void even(void)
{
	leaf(0.06);
	NO_TAIL_CALL;
}

APART void *work(void *number)
{
	char name[16];
	double since = used();
	int n = (int)(intptr_t)number;

	snprintf(name, sizeof(name), "t%d", n);
	prctl(PR_SET_NAME, name);
	if (n % 2)
		odd();
	else
		even();
	printf("THREAD %.4f %s\n", used() - since, name);
	return NULL;
}

APART int threads(int n, int at_once)
{
	pthread_t thread[64];

	for (int i = 0; i < n; i += at_once) {
		for (int k = i; k < n && k < i + at_once; k++)
			if (pthread_create(&thread[k % 64], NULL, work, (void *)(intptr_t)k))
				return 2;
		for (int k = i; k < n && k < i + at_once; k++)
			pthread_join(thread[k % 64], NULL);
	}
	return 0;
}

APART void in_child(void)
{
	double since = used();

	leaf(0.2);
	say(since, "main;forks;in_child;leaf");
}

APART void in_parent(void)
{
	double since = used();

	leaf(0.2);
	say(since, "main;forks;in_parent;leaf");
}

APART int forks(void)
{
	int status = 0;

	in_parent();
	fflush(stdout);
	if (fork() == 0) {
		in_child();
		exit(0);
	}
	wait(&status);
	return status != 0;
}

APART void deep(int n)
{
	if (n > 1)
		deep(n - 1);
	else
		leaf(0.3);
	NO_TAIL_CALL;
}

/* Each bit of `way` chooses one of two functions. */
APART void left(unsigned way, int n);

APART void right(unsigned way, int n)
{
	if (n == 0)
		leaf(0.004);
	else if (way & 1)
		right(way >> 1, n - 1);
	else
		left(way >> 1, n - 1);
	NO_TAIL_CALL;
}

APART void left(unsigned way, int n)
{
	if (n == 0)
		leaf(0.004);
	else if (way & 1)
		right(way >> 1, n - 1);
	else
		left(way >> 1, n - 1);
	NO_TAIL_CALL;
}

APART void wide(double seconds)
{
	unsigned way = 1;

	while (used() < seconds) {
		way = way * 1103515245 + 12345;
		left(way >> 2, 30);
	}
}

APART void small(void)
{
	NO_TAIL_CALL;
}

APART void calls(double seconds)
{
	while (used() < seconds)
		for (int i = 0; i < 20000; i++)
			small();
}

APART int by_a(int (*plugin)(void (*)(double), double))
{
	return plugin(leaf, 0.015) + 1;
}

APART int by_b(int (*plugin)(void (*)(double), double))
{
	return plugin(leaf, 0.015) + 2;
}

APART int plugins(const char *directory)
{
	enum { TURNS = 20 };
	const void *at = NULL;
	int moves = 0;

	for (int i = 0; i < 2 * TURNS; i++) {
		char path[4096];
		void *object;
		int (*plugin)(void (*)(double), double);

		snprintf(path, sizeof(path), "%s/%c.so", directory, i % 2 ? 'b' : 'a');
		object = dlopen(path, RTLD_NOW);
		plugin = object ? (int (*)(void (*)(double), double))dlsym(object, "plugin") : NULL;
		if (!plugin)
			return 2;
		moves += at && at != (void *)plugin;
		at = (void *)plugin;
		if (i % 2)
			by_b(plugin);
		else
			by_a(plugin);
		dlclose(object);
	}
	printf("MOVES %d\n", moves);
	return 0;
}

APART void forgotten(void)
{
	leaf(0.2);
	NO_TAIL_CALL;
}

APART void paused(void)
{
	leaf(0.2);
	NO_TAIL_CALL;
}

APART void pauses(void)
{
	forgotten();
	gmon_reset();
	moncontrol(0);
	paused();
	moncontrol(1);
	leaf(0.2);
	NO_TAIL_CALL;
}

APART void dumps(int n)
{
	for (int i = 0; i < n; i++) {
		leaf(0.02);
		raise(SIGUSR1);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (strcmp(what, "shares") == 0)
		shares();
	else if (strcmp(what, "threads") == 0)
		return threads(n, 64);
	else if (strcmp(what, "row") == 0)
		return threads(n, 1);
	else if (strcmp(what, "fork") == 0)
		return forks();
	else if (strcmp(what, "deep") == 0)
		deep(n);
	else if (strcmp(what, "wide") == 0)
		wide(atof(argv[2]));
	else if (strcmp(what, "calls") == 0)
		calls(atof(argv[2]));
	else if (strcmp(what, "plugins") == 0)
		return plugins(argv[2]);
	else if (strcmp(what, "pauses") == 0)
		pauses();
	else if (strcmp(what, "dumps") == 0)
		dumps(n);
	else if (strcmp(what, "endless") == 0) {
		printf("ready\n");
		fflush(stdout);
		for (;;)
			shares();
	} else
		return 3;
	return 0;
}
