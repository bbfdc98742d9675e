/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls from several threads at once while signals come in, and then prints what a profile has to
 * say: "arc CALLER CALLEE COUNT", as arcs.c does. Callers outside this file are "-". Its argument
 * is the number of threads beside the first.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum id { ELSEWHERE, MAIN, WORK, LEAF, BRANCH, POINTED, HANDLER, UPON, IDS };

static const char *const names[IDS] = {
	"-", "main", "work", "leaf", "branch", "pointed", "handler", "upon",
};

enum { ROUNDS = 20000, MAX_THREADS = 64 };

/* A caller is one function, so no handler touches what it interrupts. */
static _Thread_local unsigned long own[IDS][IDS];
static unsigned long arcs[IDS][IDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Inlined and not profiled, so that the counts are the program's own. */
#define COUNT  static inline __attribute__((always_inline, no_instrument_function))
#define CALLED __attribute__((noipa))

COUNT void count(enum id caller, enum id self)
{
	own[caller][self]++;
}

static CALLED int leaf(enum id caller, int n)
{
	count(caller, LEAF);
	return n + 1;
}

static CALLED int branch(enum id caller, int n)
{
	count(caller, BRANCH);
	return n % 3 ? leaf(BRANCH, n) : leaf(BRANCH, n + 1) + leaf(BRANCH, n + 2);
}

static CALLED int pointed(enum id caller, int n)
{
	count(caller, POINTED);
	return leaf(POINTED, n) ^ 1;
}

static CALLED int upon(enum id caller, int n)
{
	count(caller, UPON);
	return n * 3;
}

static CALLED void handler(int signal)
{
	count(ELSEWHERE, HANDLER);
	for (int i = 0; i < 3; i++)
		upon(HANDLER, signal);
}

/* In a thread, before it ends. */
__attribute__((no_instrument_function)) static void add_up(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	pthread_mutex_lock(&lock);
	for (int caller = 0; caller < IDS; caller++)
		for (int callee = 0; callee < IDS; callee++)
			arcs[caller][callee] += own[caller][callee];
	pthread_mutex_unlock(&lock);
}

static CALLED void *work(void *first)
{
	int (*const table[])(enum id, int) = { leaf, branch, pointed };
	volatile int sum = 0;

	count(ELSEWHERE, WORK);
	for (int i = 0; i < ROUNDS; i++)
		sum += table[(i + *(int *)first) % 3](WORK, i);
	add_up();
	return NULL;
}

__attribute__((no_instrument_function)) static void print(void)
{
	for (int callee = 0; callee < IDS; callee++) {
		for (int caller = 0; caller < IDS; caller++) {
			if (arcs[caller][callee])
				printf("arc %s %s %lu\n", names[caller], names[callee],
				       arcs[caller][callee]);
		}
	}
}

int main(int argc, char **argv)
{
	const struct itimerval often = { { 0, 700 }, { 0, 700 } };
	struct sigaction action = { .sa_flags = SA_RESTART };
	pthread_t threads[MAX_THREADS];
	int first[MAX_THREADS];
	int n = argc > 1 ? atoi(argv[1]) : 2;
	volatile int sum = 0;

	count(ELSEWHERE, MAIN);
	if (n < 0 || n > MAX_THREADS)
		return 2;
	action.sa_handler = handler;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < n; i++) {
		first[i] = i;
		if (pthread_create(&threads[i], NULL, work, &first[i]))
			return 2;
	}
	for (int i = 0; i < ROUNDS; i++)
		sum += branch(MAIN, i);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	add_up();
	print();
	return 0;
}
