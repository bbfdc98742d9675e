/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wakers condition|semaphore|futex|both|once|nap|barrier|idle MS: one thread works in slow_part()
 * and wakes another one, which waits for it in await_part(), again and again for so long; `both`
 * with a condition that both signal, `once` a single time, at the end, and `nap`, too, before which
 * that one sleeps in nap_part() for most of the time. With `barrier`, of three threads one is late
 * by slow_part(), in the next round another one by late_part(). With `idle`, that one is woken in
 * the first quarter only, and still waits when the program ends. Prints how long that one has
 * waited, without the time until a processor was free; how long the one that wakes it had none; and
 * since when it waits, if it still does:
 *
 *     WAITED 0.934
 *     RUNNABLE 0.002
 *     WAITS 0.712
 *
 * or how long the two others have waited for the one that was late:
 *
 *     WAITED slow_part 0.971
 *     WAITED late_part 0.969
 *
 * wakers whose 0: prints from which libraries the functions are that wake others:
 *
 *     pthread_cond_signal libc.so.6
 *
 * wakers LIBRARY MS: `once`, in a library that is made of this file, too, and loaded then.
 *
 * With OLDEST, its condition variables are those of glibc's version 2.2.5.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runnable.h"

#ifdef OLDEST
__asm__(".symver pthread_cond_wait, pthread_cond_wait@GLIBC_2.2.5");
__asm__(".symver pthread_cond_signal, pthread_cond_signal@GLIBC_2.2.5");
#endif

enum { FULL = 4, ROUNDS = 6 };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int n;
} queue = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };
static sem_t filled;
static int word;
static const char *mode;
static pthread_barrier_t round_end;
static double until, part, waited, waits_since;
static double waited_for[3][2]; /* by each of the three threads, for either of the first two */
static volatile int done;
static volatile unsigned sink;

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline __attribute__((always_inline)) void work(double s)
{
	double end = now(CLOCK_THREAD_CPUTIME_ID) + s;

	do
		for (int i = 0; i < 2000; i++)
			sink += (unsigned)i;
	while (now(CLOCK_THREAD_CPUTIME_ID) < end);
}

__attribute__((noinline, noclone)) static void slow_part(double s)
{
	work(s);
	sink++;
}

__attribute__((noinline, noclone)) static void late_part(double s)
{
	work(s);
	sink += 2;
}

__attribute__((noinline, noclone)) static void nap_part(double s)
{
	usleep((useconds_t)(s * 1e6));
	sink += 3;
}

static int is(const char *name)
{
	return strcmp(mode, name) == 0;
}

static void wake(void)
{
	if (is("semaphore")) {
		sem_post(&filled);
	} else if (is("futex")) {
		__atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	} else {
		pthread_mutex_lock(&queue.lock);
		while (is("both") && queue.n == FULL)
			pthread_cond_wait(&queue.changed, &queue.lock);
		queue.n++;
		pthread_cond_signal(&queue.changed);
		pthread_mutex_unlock(&queue.lock);
	}
}

__attribute__((noinline, noclone)) static void await_part(void)
{
	double since = seconds_but_runnable();

	waits_since = now(CLOCK_MONOTONIC);
	if (is("semaphore")) {
		while (sem_wait(&filled))
			;
	} else if (is("futex")) {
		while (!__atomic_load_n(&word, __ATOMIC_SEQ_CST))
			syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
		__atomic_fetch_sub(&word, 1, __ATOMIC_SEQ_CST);
	} else {
		pthread_mutex_lock(&queue.lock);
		while (!queue.n)
			pthread_cond_wait(&queue.changed, &queue.lock);
		queue.n--;
		if (is("both"))
			pthread_cond_signal(&queue.changed);
		pthread_mutex_unlock(&queue.lock);
	}
	waited += seconds_but_runnable() - since;
}

/* Between its work and the wake-up the one that is late does nothing in which a sample could be. */
__attribute__((noinline, noclone)) static void await_all(int who, int whom)
{
	double since = who == whom ? 0 : seconds_but_runnable();

	pthread_barrier_wait(&round_end);
	if (who != whom)
		waited_for[who][whom] += seconds_but_runnable() - since;
}

/* In each round one of the first two threads comes late, and the two others wait for it. */
static void *take_part(void *given)
{
	const int who = *(const int *)given;

	for (int i = 0; i < ROUNDS; i++) {
		if (who == 0 && i % 2 == 0)
			slow_part(part);
		else if (who == 1 && i % 2 != 0)
			late_part(part);
		await_all(who, i % 2);
	}
	return NULL;
}

static void take_turns(double s)
{
	static const int number[] = { 0, 1, 2 };
	pthread_t thread[2];

	part = s / ROUNDS;
	pthread_barrier_init(&round_end, NULL, 3);
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, take_part, (void *)&number[i + 1]);
	take_part((void *)&number[0]);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	for (int whom = 0; whom < 2; whom++)
		printf("WAITED %s %.3f\n", whom == 0 ? "slow_part" : "late_part",
		       waited_for[0][whom] + waited_for[1][whom] + waited_for[2][whom]);
}

static void whose(const char *name, void *function)
{
	Dl_info info;

	printf("%s %s\n", name, dladdr(function, &info) ? strrchr(info.dli_fname, '/') + 1 : "?");
}

/* Addresses as in the slots by which this program calls. */
static void print_whose(void)
{
	whose("pthread_cond_signal", (void *)pthread_cond_signal);
	whose("pthread_cond_broadcast", (void *)pthread_cond_broadcast);
	whose("sem_post", (void *)sem_post);
	whose("pthread_barrier_wait", (void *)pthread_barrier_wait);
}

static void *consume(void *unused)
{
	while (!done) {
		await_part();
		work(0.001);
	}
	return unused;
}

/* The same by a library of this source. */
static int run_later(char *library, char *ms)
{
	char *words[] = { library, (char *)"once", ms, NULL };
	void *handle = dlopen(library, RTLD_LAZY);
	int (*function)(int, char **) = NULL;

	if (handle)
		*(void **)&function = dlsym(handle, "run");
	return function ? function(3, words) : 1;
}

int run(int argc, char **argv);

int run(int argc, char **argv)
{
	pthread_t consumer;
	double s;

	if (argc != 3)
		return 2;
	if (strchr(argv[1], '/'))
		return run_later(argv[1], argv[2]);
	mode = argv[1];
	s = atof(argv[2]) / 1000;
	until = now(CLOCK_MONOTONIC) + s;
	if (is("whose") || is("barrier")) {
		if (is("whose"))
			print_whose();
		else
			take_turns(s);
		return 0;
	}
	sem_init(&filled, 0, 0);
	pthread_create(&consumer, NULL, consume, NULL);
	if (is("once"))
		slow_part(s);
	if (is("nap")) {
		slow_part(0.01 * s);
		nap_part(0.98 * s);
		late_part(0.01 * s);
	}
	while (!is("nap") && now(CLOCK_MONOTONIC) < until - (is("idle") ? 0.75 * s : 0)) {
		slow_part(0.020);
		wake();
	}
	if (is("idle")) {
		late_part(0.75 * s);
		printf("WAITED %.3f\nWAITS %.3f\n", waited, now(CLOCK_MONOTONIC) - waits_since);
		return 0;
	}
	done = 1;
	wake();
	pthread_join(consumer, NULL);
	printf("WAITED %.3f\nRUNNABLE %.3f\n", waited, runnable_seconds());
	return 0;
}

int main(int argc, char **argv)
{
	return run(argc, argv);
}
