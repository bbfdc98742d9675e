/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * holders locks|deadlock|self|idle MS: threads that wait for locks of others.
 *
 *   locks     hoard() has a lock with a name most of the time, hide() one on the heap, in one of
 * two threads, while another function works for it; ask() and beg() wait for them, and measure how
 * long. Prints what they have waited:
 *
 *                 WAITED ask 0.912       without the time until a processor was free
 *                 HIDDEN 0x55d0c2a0      where that lock is
 *
 *   deadlock  first() waits for a lock of second(), which waits for one of first(). SIGALRM ends it
 *   self      alone() waits for the lock that it has itself. SIGALRM ends it
 *   idle      nobody waits for a lock
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runnable.h"

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
struct ledger {
	long entries[4];
	pthread_mutex_t lock;
} ledger = { .lock = PTHREAD_MUTEX_INITIALIZER };

static pthread_mutex_t *hidden;
static pthread_barrier_t both;
static double length, begun, asked, begged;
static volatile unsigned sink;

static double now_by(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double now(void)
{
	return now_by(CLOCK_MONOTONIC);
}

static void work(double s)
{
	double end = now_by(CLOCK_THREAD_CPUTIME_ID) + s;

	while (now_by(CLOCK_THREAD_CPUTIME_ID) < end)
		sink++;
}

/* The same, but as a function that others call. */
__attribute__((noinline, noclone)) static void toil(double s)
{
	work(s);
}

static void rest(double s)
{
	struct timespec t = { 0, (long)(s * 1e9) };

	nanosleep(&t, NULL);
}

/* Has a lock for 24 of 30 ms, while it works. */
#define HOLDS(name, lock, works)                                  \
	__attribute__((noinline, noclone)) static void name(void) \
	{                                                         \
		pthread_mutex_lock(lock);                         \
		works(0.024);                                     \
		pthread_mutex_unlock(lock);                       \
	}

HOLDS(hoard, &ledger.lock, work)
HOLDS(hide, hidden, toil)

#define WAITS(name, lock)                                                  \
	__attribute__((noinline, noclone)) static void name(double *total) \
	{                                                                  \
		double from = seconds_but_runnable();                      \
                                                                           \
		pthread_mutex_lock(lock);                                  \
		pthread_mutex_unlock(lock);                                \
		*total += seconds_but_runnable() - from;                   \
	}

WAITS(ask, &ledger.lock)
WAITS(beg, hidden)

static void *hoarder(void *unused)
{
	while (now() < begun + length) {
		hoard();
		rest(0.006);
	}
	return unused;
}

static void *hider(void *unused)
{
	while (now() < begun + length) {
		hide();
		rest(0.006);
	}
	return unused;
}

static void *asker(void *unused)
{
	while (now() < begun + length) {
		ask(&asked);
		rest(0.001);
	}
	return unused;
}

static void *beggar(void *unused)
{
	while (now() < begun + length) {
		beg(&begged);
		rest(0.001);
	}
	return unused;
}

#define TAKES(name, one, other)                                            \
	__attribute__((noinline, noclone)) static void *name(void *unused) \
	{                                                                  \
		pthread_mutex_lock(one);                                   \
		pthread_barrier_wait(&both);                               \
		pthread_mutex_lock(other);                                 \
		sink++;                                                    \
		return unused;                                             \
	}

TAKES(first, &left, &right)
TAKES(second, &right, &left)

__attribute__((noinline, noclone)) static void *alone(void *unused)
{
	pthread_mutex_lock(&left);
	pthread_mutex_lock(&left);
	sink++;
	return unused;
}

static void run(void *(*const bodies[])(void *), int n)
{
	pthread_t thread[5];

	for (int i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, bodies[i], NULL) != 0)
			abort();
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
	static void *(*const locks[])(void *) = { hoarder, hider, hider, asker, beggar };
	static void *(*const circle[])(void *) = { first, second };
	static void *(*const one[])(void *) = { alone };

	if (argc != 3)
		return 2;
	length = atof(argv[2]) / 1000;
	hidden = malloc(sizeof(*hidden));
	pthread_mutex_init(hidden, NULL);
	pthread_barrier_init(&both, NULL, 2);
	begun = now();
	if (strcmp(argv[1], "locks") == 0) {
		run(locks, 5);
		printf("WAITED ask %.3f\nWAITED beg %.3f\nHIDDEN %p\n", asked, begged,
		       (void *)hidden);
		return 0;
	}
	if (strcmp(argv[1], "idle") == 0) {
		rest(length);
		return 0;
	}
	alarm((unsigned)length + 1);
	if (strcmp(argv[1], "deadlock") == 0)
		run(circle, 2);
	else
		run(one, 1);
	return 1;
}
