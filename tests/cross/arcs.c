/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls in all kinds of ways, and then prints what a profile has to say: "arc CALLER CALLEE COUNT".
 * Every function is told its caller and counts the call itself; callers outside this file are "-".
 * Before that it works for a tenth of a second. Its argument, 1 if missing, multiplies some of
 * this.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* clang-format off */
enum id {
	ELSEWHERE, MAIN, LEAF, TWICE, FACTORIAL, EVEN, ODD, PING, PONG, VISIT, COMPARE, SPIN, IDS
};
/* clang-format on */

static const char *const names[IDS] = {
	"-",   "main", "leaf", "twice", "factorial", "even",
	"odd", "ping", "pong", "visit", "compare",   "spin",
};
static unsigned long arcs[IDS][IDS];

/* Inlined and not profiled, so that the counts are the program's own. */
#define COUNT  static inline __attribute__((always_inline, no_instrument_function))
#define CALLED __attribute__((noipa))

COUNT void count(enum id caller, enum id self)
{
	arcs[caller][self]++;
}

static CALLED int leaf(enum id caller, int n)
{
	count(caller, LEAF);
	return n + 1;
}

CALLED int twice(enum id caller, int n)
{
	count(caller, TWICE);
	n = leaf(TWICE, n);
	n += 3;
	return leaf(TWICE, n) ^ 1;
}

CALLED unsigned long factorial(enum id caller, unsigned long n)
{
	count(caller, FACTORIAL);
	return n < 2 ? 1 : n * factorial(FACTORIAL, n - 1);
}

static int odd(enum id caller, int n);

/* A cycle of two: each calls the other with a smaller number. */
static CALLED int even(enum id caller, int n)
{
	count(caller, EVEN);
	return n == 0 || odd(EVEN, n - 1);
}

static CALLED int odd(enum id caller, int n)
{
	count(caller, ODD);
	return n != 0 && even(ODD, n - 1);
}

CALLED long ping(enum id caller, long n)
{
	count(caller, PING);
	return n + leaf(PING, 0);
}

CALLED long pong(enum id caller, long n)
{
	count(caller, PONG);
	return n - leaf(PONG, 1);
}

/* Calls through pointers alone. */
CALLED long visit(enum id caller, long (*const *table)(enum id, long), int length)
{
	long sum = 0;

	count(caller, VISIT);
	for (int i = 0; i < length; i++)
		sum += table[i % 2](VISIT, i);
	return sum;
}

/* Called by the C library. */
static CALLED int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	count(ELSEWHERE, COMPARE);
	return x < y ? -1 : x > y;
}

/* Nothing but time. */
CALLED unsigned spin(enum id caller, unsigned x)
{
	count(caller, SPIN);
	for (int i = 0; i < 2000000; i++)
		x = x * 1664525 + 1013904223;
	return x;
}

/* Never called: -c shows the call in it. */
CALLED int unused(enum id caller, int n)
{
	if (caller == ELSEWHERE)
		exit(n);
	return twice(caller, n);
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
	static long (*const table[])(enum id, long) = { ping, pong };
	int numbers[300];
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	volatile long result = 0;

	count(ELSEWHERE, MAIN);
	for (int i = 0; i < rounds * 35000; i++)
		result += twice(MAIN, i);
	for (int i = 0; i < 5; i++)
		result += leaf(MAIN, i);
	result += factorial(MAIN, 12);
	result += factorial(MAIN, 1);
	result += even(MAIN, 101);
	result += odd(MAIN, 40);
	result += visit(MAIN, table, 66001);
	for (int i = 0; i < 300; i++)
		numbers[i] = (i * 7919) % 1000;
	qsort(numbers, 300, sizeof(*numbers), compare);
	do
		result += spin(MAIN, numbers[1]);
	while (clock() < rounds * (CLOCKS_PER_SEC / 10));
	print();
	return 0;
}
