/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The runtime's C part under load, to be built with a sanitizer and without the entry code: threads
 * that come and go count pairs of addresses, a signal interrupts them and counts too, one thread
 * writes the profile again and again, and the process forks. At the end the tables must hold every
 * call.
 */
#include <gmon.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "count/hooks.h"
#include "count/table.h"
#include "state.h"

enum { WORKERS = 4, ROUNDS = 40, CALLS = 4000, PAIRS = 700 };

static atomic_ulong done_calls;
static atomic_bool finished;

static void call(unsigned from, unsigned self)
{
	/* Addresses in the program, so that the profile's file holds them. */
	uintptr_t base = gmon.program.low + 16;

	if (__atomic_load_n(&gmon_on, __ATOMIC_ACQUIRE))
		__mcount_internal(base + from, base + self);
	atomic_fetch_add(&done_calls, 1);
}

static void on_signal(int signal)
{
	static atomic_uint n;

	call((unsigned)signal, atomic_fetch_add(&n, 1) % PAIRS);
}

static void *work(void *seed)
{
	unsigned random = (unsigned)(uintptr_t)seed;

	for (int i = 0; i < CALLS; i++) {
		random = random * 1103515245 + 12345;
		call(random >> 16 & 63, (random >> 8) % PAIRS);
		if (i % 97 == 0)
			raise(SIGUSR1);
	}
	return NULL;
}

static void *write_often(void *unused)
{
	while (!atomic_load(&finished))
		gmon_dump();
	return unused;
}

static unsigned long recorded(void)
{
	unsigned long sum = 0;

	for (const struct table *table = table_first(GMON_LIVE_COUNTS); table;
	     table = table_next(table)) {
		for (size_t i = 0; i < table_ncells(table); i++)
			if (__atomic_load_n(&table->cell[i].self, __ATOMIC_RELAXED) >
			    CELL_LAST_MARK)
				sum += table_count(&table->cell[i]);
	}
	return sum;
}

/* The child counts from zero. */
static int fork_one(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		unsigned long before = recorded();

		call(1, 2);
		_exit(before == 0 && recorded() == 1 ? 0 : 1);
	}
	return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

int main(void)
{
	pthread_t writer;
	int failed = 0;

	signal(SIGUSR1, on_signal);
	monstartup(gmon.program.low, gmon.program.high);
	if (pthread_create(&writer, NULL, write_often, NULL) != 0)
		return 2;
	for (uintptr_t round = 0; round < ROUNDS; round++) {
		pthread_t worker[WORKERS];

		for (uintptr_t i = 0; i < WORKERS; i++)
			if (pthread_create(&worker[i], NULL, work, (void *)(round * WORKERS + i)) !=
			    0)
				return 2;
		for (int i = 0; i < WORKERS; i++)
			pthread_join(worker[i], NULL);
	}
	atomic_store(&finished, true);
	pthread_join(writer, NULL);
	printf("called %lu, recorded %lu\n", atomic_load(&done_calls), recorded());
	failed = recorded() != atomic_load(&done_calls) || fork_one() != 0;
	_mcleanup();
	return failed;
}
