/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * With optimization the compiler makes two functions of visit(): the test, which it writes into the
 * callers, and `visit.part.0', where the time goes.
 */
#include <stdlib.h>

double visit(int depth, double x);

double visit(int depth, double x)
{
	if (depth < 1)
		return x;
	for (int i = 0; i < 100; i++)
		x = x * 0.999 + 1;
	x = visit(depth - 1, x);
	x = visit(depth - 2, x);
	return x + 1;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double x = 0;

	for (int i = 0; i < 8 * rounds; i++)
		x = visit(25, x);
	return x < 0;
}
