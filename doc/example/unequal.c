/* SPDX-License-Identifier: MIT */
/*
 * Two functions sort: small often, but few numbers; large seldom, but many.
 *
 *   cc -O1 -pg -o unequal unequal.c -lgmon && GMON=stacks ./unequal && gprof --inclusive unequal
 */
#include <stdlib.h>

enum { FEW = 10, MANY = 10000, ROUNDS = 400 };

/* The same numbers each time, in no order. */
void fill(int *number, int n)
{
	unsigned x = 1;

	for (int i = 0; i < n; i++) {
		x = x * 1103515245 + 12345;
		number[i] = (int)(x >> 8);
	}
}

/* Shell's sort. */
void sort(int *number, int n)
{
	for (int gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
		for (int i = gap; i < n; i++) {
			int moved = number[i], at = i;

			for (; at >= gap && number[at - gap] > moved; at -= gap)
				number[at] = number[at - gap];
			number[at] = moved;
		}
	}
}

void small(int *number)
{
	for (int i = 0; i < 100; i++) {
		fill(number, FEW);
		sort(number, FEW);
	}
}

void large(int *number)
{
	fill(number, MANY);
	sort(number, MANY);
}

int main(int argc, char **argv)
{
	static int number[MANY];
	int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;

	for (int round = 0; round < rounds; round++) {
		small(number);
		large(number);
	}
	return EXIT_SUCCESS;
}
