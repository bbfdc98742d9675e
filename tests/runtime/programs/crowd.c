/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * crowd N [fork|forty]: N threads that make ten different calls each, or forty, and wait. Says by
 * how many kB the program has grown for each; then forks a child, which makes a call and ends, and
 * says its number.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

static pthread_barrier_t all;

#define CALLEE(n)                     \
	APART static void f##n(void)  \
	{                             \
		__asm__ volatile(""); \
	}
CALLEE(0)
CALLEE(1)
CALLEE(2)
CALLEE(3)
CALLEE(4)
CALLEE(5)
CALLEE(6)
CALLEE(7)
CALLEE(8)
CALLEE(9)

#define TEN_CALLS \
	f0();     \
	f1();     \
	f2();     \
	f3();     \
	f4();     \
	f5();     \
	f6();     \
	f7();     \
	f8();     \
	f9()

APART void *waiter(void *forty)
{
	TEN_CALLS;
	if (forty) {
		TEN_CALLS;
		TEN_CALLS;
		TEN_CALLS;
	}
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&all);
	return NULL;
}

/* In kB. */
UNCOUNTED static long resident(void)
{
	char line[256];
	long n = -1;
	FILE *file = fopen("/proc/self/status", "r");

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, "VmRSS:", 6))
			n = atol(line + 6);
	fclose(file);
	return n;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000;
	long before;
	int status = 0, forty = argc > 2 && strcmp(argv[2], "forty") == 0;
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	pthread_barrier_init(&all, NULL, (unsigned)n + 1);
	f0();
	before = resident();
	for (int i = 0; i < n; i++) {
		pthread_t thread;

		if (pthread_create(&thread, &small, waiter, forty ? &all : NULL))
			return 2;
	}
	pthread_barrier_wait(&all);
	printf("%.2f\n", (double)(resident() - before) / n);
	fflush(stdout);
	if (argc > 2 && !forty) {
		pid_t child = fork();

		if (!child) {
			f1();
			_exit(0);
		}
		waitpid(child, &status, 0);
		printf("%ld\n", (long)child);
	}
	return status != 0;
}
