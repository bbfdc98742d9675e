/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wakers condition|semaphore|futex|both|once MS: one thread works in slow_part() and wakes another
 * one, which waits for it in await_part(), again and again for so long; `both` with a condition
 * that both signal, `once` a single time, at the end. Prints how long that one has waited:
 *
 *     WAITED 0.934
 *
 * With OLDEST, its condition variables are those of glibc's version 2.2.5.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef OLDEST
__asm__(".symver pthread_cond_wait, pthread_cond_wait@GLIBC_2.2.5");
__asm__(".symver pthread_cond_signal, pthread_cond_signal@GLIBC_2.2.5");
#endif

enum { FULL = 4 };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int n;
} queue = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };
static sem_t filled;
static int word;
static const char *mode;
static double until, waited;
static volatile int done;
static volatile unsigned sink;

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void work(double s)
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
	double since = now(CLOCK_MONOTONIC);

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
	waited += now(CLOCK_MONOTONIC) - since;
}

static void *consume(void *unused)
{
	while (!done) {
		await_part();
		work(0.001);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t consumer;
	double s;

	if (argc != 3)
		return 2;
	mode = argv[1];
	s = atof(argv[2]) / 1000;
	until = now(CLOCK_MONOTONIC) + s;
	sem_init(&filled, 0, 0);
	pthread_create(&consumer, NULL, consume, NULL);
	if (is("once"))
		slow_part(s);
	while (now(CLOCK_MONOTONIC) < until) {
		slow_part(0.020);
		wake();
	}
	done = 1;
	wake();
	pthread_join(consumer, NULL);
	printf("WAITED %.3f\n", waited);
	return 0;
}
