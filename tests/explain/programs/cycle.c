/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shape of an interpreter: instructions operate on values, one in a hundred sorts, and what
 * the sort compares by is a function of the interpreted program. So all that takes time is one
 * cycle, which the few calls of invoke() close.
 */
#include <stdlib.h>

#include "work.h"

APART double execute(double x, int depth);

APART double invoke(double x, int depth)
{
	return execute(x, depth - 1) + 1;
}

APART double compare(double x, int depth)
{
	return depth > 0 ? invoke(x, depth) + 1 : x;
}

APART double sort(double x, int depth)
{
	for (int i = 0; i < 500; i++)
		x = x * 0.999 + 1;
	return compare(x, depth) + 1;
}

APART double operate(double x, int code, int depth)
{
	for (int i = 0; i < 500; i++)
		x = x * 0.999 + 1;
	return code % 100 == 0 ? sort(x, depth) + 1 : x;
}

APART double instruction(double x, int code, int depth)
{
	for (int i = 0; i < 500; i++)
		x = x * 0.998 + 1;
	return operate(x, code, depth) + 1;
}

APART double execute(double x, int depth)
{
	for (int code = 0; code < 500; code++)
		x = instruction(x, code, depth);
	return x;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double x = 0;

	for (int i = 0; i < 6 * rounds; i++)
		x = execute(x, 2);
	return x < 0;
}
