/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * With -O2, wrap() ends in a jump to leaf(), and even() and odd() in jumps to each other: calls of
 * all of them come from the one call that outer() makes, or again() does.
 */
#include <stdlib.h>

#include "work.h"

APART int odd(unsigned n);

APART double leaf(double x)
{
	for (int i = 0; i < 500; i++)
		x = x * 0.999 + 1;
	return x;
}

APART double wrap(double x)
{
	return leaf(x + 1);
}

APART double outer(double x)
{
	return wrap(x) + 1;
}

APART int even(unsigned n)
{
	return n == 0 ? 1 : odd(n - 1);
}

APART int odd(unsigned n)
{
	return n == 0 ? 0 : even(n - 1);
}

APART int again(unsigned n)
{
	return 1 + even(n);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double x = 0;

	for (int i = 0; i < 200000 * rounds; i++)
		x = outer(x) + again(9);
	return x < 0;
}
