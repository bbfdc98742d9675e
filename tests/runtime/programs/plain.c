/* SPDX-License-Identifier: MIT */
/*
 * Not for -pg: two threads that use about the processor time given in milliseconds each, and what
 * the arguments say at the end: N: exit status; -N: death by signal N; "fork": a child that works,
 * too; "close": all descriptors are closed first.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "used.h"

enum { NS_MS = 1000000 };

static long used_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / NS_MS;
}

/* Neither inlined nor known to the linker by another name. */
__attribute__((noinline)) unsigned work(long ms)
{
	volatile unsigned sum = 0;

	while (used_ms() < ms)
		for (int i = 0; i < USED_STEPS; i++)
			sum += (unsigned)i * sum;
	return sum;
}

static void *thread(void *ms)
{
	work(*(long *)ms);
	return NULL;
}

int main(int argc, char **argv)
{
	long ms = argc > 1 ? atol(argv[1]) : 0;
	const char *last = argc > 2 ? argv[2] : "0";
	pthread_t second;
	char line[100];

	while (fgets(line, sizeof(line), stdin))
		fputs(line, stdout);
	fflush(stdout);
	if (pthread_create(&second, NULL, thread, &ms) != 0)
		return 99;
	work(ms);
	pthread_join(second, NULL);
	if (strcmp(last, "fork") == 0) {
		pid_t child = fork();

		if (child == 0) {
			work(ms * 2);
			return 0;
		}
		waitpid(child, NULL, 0);
	} else if (strcmp(last, "close") == 0) {
		for (int fd = 0; fd < 100; fd++)
			close(fd);
	} else if (atoi(last) < 0) {
		raise(-atoi(last));
	}
	return atoi(last);
}
