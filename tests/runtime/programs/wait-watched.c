/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not for -pg: sleeps for 0.3 s when another thread, the helper of GMON=clock=wall, has run and
 * slept a few times, and says how many nanoseconds that took by the clock, without the time in the
 * queue: "last_wait NS". Exits with 1 if there is no other thread.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 20000, TURNS = 4, NS_IN_MS = 1000000, NS_IN_S = 1000000000 };

/* The numbers of a thread's file schedstat: time on a processor, time in the queue, turns. */
struct turns {
	unsigned long long ran, queued, n;
};

static struct turns turns_of(long tid)
{
	struct turns turns = { 0, 0, 0 };
	char name[64];
	FILE *file;

	snprintf(name, sizeof(name), "/proc/self/task/%ld/schedstat", tid);
	file = fopen(name, "r");
	if (!file)
		return turns;
	if (fscanf(file, "%llu %llu %llu", &turns.ran, &turns.queued, &turns.n) != 3)
		turns.n = 0;
	fclose(file);
	return turns;
}

static long other_thread(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;
	long found = 0;

	while (tasks && (entry = readdir(tasks))) {
		long tid = atol(entry->d_name);

		if (tid > 0 && tid != getpid())
			found = tid;
	}
	if (tasks)
		closedir(tasks);
	return found;
}

static void first_waits(void)
{
	const struct timespec ms = { 0, NS_IN_MS };

	for (int i = 0; i < TRIES; i++) {
		long other = other_thread();

		if (other && turns_of(other).n >= TURNS)
			return;
		nanosleep(&ms, NULL);
	}
	exit(1);
}

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * NS_IN_S + time.tv_nsec;
}

__attribute__((noinline)) int last_wait(void)
{
	const struct timespec time = { 0, 300 * NS_IN_MS };

	return nanosleep(&time, NULL) + 1;
}

int main(void)
{
	int64_t begin, queued;

	first_waits();
	queued = (int64_t)turns_of(getpid()).queued;
	begin = now();
	if (last_wait() != 1)
		return 2;
	begin = now() - begin;
	queued = (int64_t)turns_of(getpid()).queued - queued;
	printf("last_wait %lld\n", (long long)(begin - queued));
	return 0;
}
