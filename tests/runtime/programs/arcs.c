/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of many kinds: several callers, recursion, pointers, variable arguments, callbacks.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "truth.h"

enum { ROUNDS = 1000, ITEMS = 300 };

static unsigned long nfib, neven, nodd, ncompare;
static volatile unsigned long sink;

APART void leaf(void)
{
	sink++;
}

#define CALLER(name, n)                       \
	APART void name(void)                 \
	{                                     \
		for (int i = 0; i < (n); i++) \
			leaf();               \
		NO_TAIL_CALL;                 \
	}
CALLER(once, 1)
CALLER(twice, 2)
CALLER(often, 17)

APART unsigned long fib(unsigned long n)
{
	unsigned long sum = n;

	nfib++;
	if (n >= 2)
		sum = fib(n - 1) + fib(n - 2);
	NO_TAIL_CALL;
	return sum;
}

APART int odd(unsigned n);

APART int even(unsigned n)
{
	int answer = 1;

	neven++;
	if (n)
		answer = odd(n - 1);
	NO_TAIL_CALL;
	return answer;
}

APART int odd(unsigned n)
{
	int answer = 0;

	nodd++;
	if (n)
		answer = even(n - 1);
	NO_TAIL_CALL;
	return answer;
}

APART double add_up(int n, ...)
{
	double sum = 0;
	va_list list;

	va_start(list, n);
	for (int i = 0; i < n; i++)
		sum += i % 2 ? va_arg(list, double) : va_arg(list, int);
	va_end(list);
	return sum;
}

#define PLUS(n)                         \
	APART static int plus##n(int x) \
	{                               \
		return x + (n);         \
	}
PLUS(0)
PLUS(1)
PLUS(2)
PLUS(3)

APART int dispatch(int x)
{
	static int (*volatile const table[])(int) = { plus0, plus1, plus2, plus3 };
	int answer = table[x % 4](x);

	NO_TAIL_CALL;
	return answer;
}

APART int compare(const void *a, const void *b)
{
	ncompare++;
	return *(const int *)a - *(const int *)b;
}

APART void at_end(void)
{
	for (int i = 0; i < 5; i++)
		leaf();
	NO_TAIL_CALL;
}

UNCOUNTED static void tell(void)
{
	arc("main", "once", ROUNDS);
	arc("main", "twice", ROUNDS);
	arc("main", "often", ROUNDS);
	arc("once", "leaf", ROUNDS);
	arc("twice", "leaf", 2 * ROUNDS);
	arc("often", "leaf", 17 * ROUNDS);
	arc("main", "fib", 1);
	arc("fib", "fib", nfib - 1);
	arc("main", "even", 1);
	arc("odd", "even", neven - 1);
	arc("even", "odd", nodd);
	arc("main", "add_up", ROUNDS);
	arc("main", "dispatch", ROUNDS);
	arc("dispatch", "plus0", ROUNDS / 4);
	arc("dispatch", "plus1", ROUNDS / 4);
	arc("dispatch", "plus2", ROUNDS / 4);
	arc("dispatch", "plus3", ROUNDS / 4);
	arc(OUTSIDE, "compare", ncompare);
	arc(OUTSIDE, "at_end", 1);
	arc("at_end", "leaf", 5);
}

int main(void)
{
	static int items[ITEMS];

	atexit(at_end);
	for (int i = 0; i < ROUNDS; i++) {
		once();
		twice();
		often();
		if (add_up(6, 1, 2.5, 3, 4.5, 5, 6.5) != 22.5 || dispatch(i) != i + i % 4)
			return 1;
	}
	if (fib(12) != 144 || !even(20))
		return 2;
	for (int i = 0; i < ITEMS; i++)
		items[i] = i * 7919 % ITEMS;
	qsort(items, ITEMS, sizeof(items[0]), compare);
	for (int i = 0; i < ITEMS; i++)
		if (items[i] != i)
			return 3;
	tell();
	return 0;
}
