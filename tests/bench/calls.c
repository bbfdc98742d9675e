/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of nearly nothing: 'calls WHAT' prints the nanoseconds of the process's CPU time a call.
 *
 *   tiny     one function, from one place
 *   fib      the doubly recursive one
 *   sites64  64 functions in random order, from one place
 *   threads  tiny in two threads at once
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

enum { TINY_CALLS = 30000000, FIB_OF = 34, SITE_CALLS = 12000000 };

static volatile int sink;

static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

NOINLINE static void tiny(int *counter)
{
	*(volatile int *)counter += 1;
}

static void *call_tiny(void *unused)
{
	int counter = 0;

	for (int i = 0; i < TINY_CALLS; i++)
		tiny(&counter);
	sink = counter;
	return unused;
}

static uint64_t call_in_threads(void)
{
	pthread_t other;

	if (pthread_create(&other, NULL, call_tiny, NULL) != 0)
		return 1;
	call_tiny(NULL);
	pthread_join(other, NULL);
	return 2 * (uint64_t)TINY_CALLS;
}

static uint64_t fib_calls;

NOINLINE static int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static uint64_t call_fib(void)
{
	uint64_t calls[FIB_OF + 1] = { 1, 1 };

	for (int i = 2; i <= FIB_OF; i++)
		calls[i] = calls[i - 1] + calls[i - 2] + 1;
	fib_calls = calls[FIB_OF];
	sink = fib(FIB_OF);
	return fib_calls;
}

#define CALLEE(n)                            \
	NOINLINE static int callee##n(int x) \
	{                                    \
		return x + n + sink;         \
	}
#define EIGHT(what, n) \
	what(n##0) what(n##1) what(n##2) what(n##3) what(n##4) what(n##5) what(n##6) what(n##7)
#define SIXTY_FOUR(what) \
	EIGHT(what, 1)   \
	EIGHT(what, 2)   \
	EIGHT(what, 3) EIGHT(what, 4) EIGHT(what, 5) EIGHT(what, 6) EIGHT(what, 7) EIGHT(what, 8)

SIXTY_FOUR(CALLEE)

static uint64_t call_sites(void)
{
#define NAME(n) callee##n,
	static int (*const callees[64])(int) = { SIXTY_FOUR(NAME) };
	uint32_t random = 1;
	int x = 0;

	for (int i = 0; i < SITE_CALLS; i++) {
		random = random * 1103515245 + 12345;
		x = callees[random >> 16 & 63](x);
	}
	sink = x;
	return SITE_CALLS;
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";
	double start = cpu_ns();
	uint64_t calls;

	if (strcmp(what, "tiny") == 0)
		call_tiny(NULL), calls = TINY_CALLS;
	else if (strcmp(what, "fib") == 0)
		calls = call_fib();
	else if (strcmp(what, "sites64") == 0)
		calls = call_sites();
	else if (strcmp(what, "threads") == 0)
		calls = call_in_threads();
	else
		return 2;
	printf("%.3f\n", (cpu_ns() - start) / (double)calls);
	return 0;
}
