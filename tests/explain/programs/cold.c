/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * With optimization, the loop for odd input becomes `sum.cold': the compiler takes what ends in a
 * call of a cold function for unlikely, and here it is where the time goes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

__attribute__((cold, noinline)) static void repaired(double x)
{
	if (x < 0)
		puts("negative");
}

APART double sum(int n, double x)
{
	if (n % 2) {
		for (int i = 0; i < n; i++)
			x = x * 0.999 + 1;
		repaired(x);
		return x;
	}
	return x + n;
}

APART double other(double x)
{
	for (int i = 0; i < 200; i++)
		x = x * 0.999 + 1;
	return x;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double x = 0;

	for (int i = 0; i < 10000 * rounds; i++)
		x = other(sum(10001, x));
	return x < 0;
}
