/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * With optimization, the compiler writes step() into main(), which is called from the C library:
 * there is no call left that its runtime counts.
 */
#include <stdlib.h>

static double step(double x)
{
	for (int i = 0; i < 1000; i++)
		x = x * 0.999 + 1;
	return x;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double x = 0;

	for (int i = 0; i < 150000 * rounds; i++)
		x = step(x);
	return x < 0;
}
