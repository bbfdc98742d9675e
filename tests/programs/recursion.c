/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recursion of every kind: a stack of many thousand frames, two functions that call each other,
 * three in a ring with a short cut, two rings that share no function, and a function with two self
 * calls.
 */
#include <stdio.h>
#include <stdlib.h>

struct item {
	struct item *next;
	unsigned value;
};

unsigned is_even(unsigned n);
unsigned female(unsigned n);

unsigned is_odd(unsigned n)
{
	return n == 0 ? 0 : is_even(n - 1);
}

unsigned is_even(unsigned n)
{
	return n == 0 ? 1 : is_odd(n - 1);
}

unsigned male(unsigned n)
{
	return n == 0 ? 0 : n - female(male(n - 1));
}

unsigned female(unsigned n)
{
	return n == 0 ? 1 : n - male(female(n - 1));
}

unsigned ackermann(unsigned m, unsigned n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

static unsigned walk_b(unsigned n, unsigned depth);
static unsigned walk_c(unsigned n, unsigned depth);

static unsigned weigh(unsigned n)
{
	unsigned ones = 0;

	for (; n; n &= n - 1)
		ones++;
	return ones;
}

static unsigned walk_a(unsigned n, unsigned depth)
{
	return depth == 0 ? weigh(n) : walk_b(2 * n, depth - 1) + walk_b(2 * n + 1, depth - 1);
}

static unsigned walk_b(unsigned n, unsigned depth)
{
	return depth == 0 ? weigh(n) : n % 3 ? walk_c(n, depth - 1) : walk_a(n, depth - 1);
}

static unsigned walk_c(unsigned n, unsigned depth)
{
	return depth == 0 ? weigh(n) : walk_a(2 * n, depth - 1) + walk_c(2 * n + 1, depth - 1);
}

struct item *make_list(unsigned n, struct item *room)
{
	if (n == 0)
		return NULL;
	*room = (struct item){ .next = make_list(n - 1, room + 1), .value = n };
	return room;
}

unsigned long sum_list(const struct item *list)
{
	return list ? list->value + sum_list(list->next) : 0;
}

int main(int argc, char **argv)
{
	enum { LENGTH = 30000 };
	static struct item room[LENGTH];
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	unsigned long sum = 0;

	for (int i = 0; i < 20 * rounds; i++) {
		sum += sum_list(make_list(LENGTH, room));
		sum += is_even(LENGTH + (unsigned)i);
		sum += male(60) + female(60);
		sum += ackermann(2, 150);
		sum += walk_a(1, 18);
	}
	printf("%lu\n", sum);
	return 0;
}
