/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * phases [rest|fork|kill]: two threads that do three things one after the other, and write down
 * when, in nanoseconds since 1970, and how much CPU time each took:
 *
 *     PHASE parse 4711 1790000000000000000 1790000000500000000 0.499
 *
 * With `rest`, it sleeps first, which is a phase, too; with `fork`, a child does the same first;
 * with `kill`, the program kills itself at the end.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned sink;

static uint64_t ns_by(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#define PHASE(name)                                                                              \
	__attribute__((noinline, noclone)) static void name(uint64_t ns)                         \
	{                                                                                        \
		uint64_t from = ns_by(CLOCK_REALTIME), end = ns_by(CLOCK_MONOTONIC) + ns;        \
		uint64_t cpu = ns_by(CLOCK_THREAD_CPUTIME_ID);                                   \
                                                                                                 \
		do                                                                               \
			for (int i = 0; i < 20000; i++)                                          \
				sink += (unsigned)i;                                             \
		while (ns_by(CLOCK_MONOTONIC) < end);                                            \
		cpu = ns_by(CLOCK_THREAD_CPUTIME_ID) - cpu;                                      \
		printf("PHASE %s %d %" PRIu64 " %" PRIu64 " %.6f\n", #name, (int)gettid(), from, \
		       ns_by(CLOCK_REALTIME), (double)cpu / 1e9);                                \
	}

PHASE(parse)
PHASE(solve)
PHASE(print)

enum { MS = 1000000 };

__attribute__((noinline, noclone)) static void rest(void)
{
	uint64_t from = ns_by(CLOCK_REALTIME);

	usleep(400000);
	printf("PHASE rest %d %" PRIu64 " %" PRIu64 " 0\n", (int)gettid(), from,
	       ns_by(CLOCK_REALTIME));
}

static void *second(void *unused)
{
	(void)unused;
	parse(400 * MS);
	solve(300 * MS);
	print(700 * MS);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc > 1 && strcmp(argv[1], "fork") == 0) {
		if (fork() == 0) {
			print(400 * MS);
			return 0;
		}
		wait(NULL);
	}
	if (argc > 1 && strcmp(argv[1], "rest") == 0)
		rest();
	pthread_create(&thread, NULL, second, NULL);
	parse(600 * MS);
	solve(500 * MS);
	print(200 * MS);
	pthread_join(thread, NULL);
	fflush(stdout);
	if (argc > 1 && strcmp(argv[1], "kill") == 0)
		raise(SIGKILL);
	return 0;
}
