/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * With same-other.c: two static functions step(), each with half of the time.
 */
#include <stdlib.h>

#include "work.h"

double other(double x);

APART static double step(double x)
{
	for (int i = 0; i < 1000; i++)
		x = x * 0.999 + 1;
	return x;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double x = 0;

	for (int i = 0; i < 50000 * rounds; i++)
		x = other(step(x));
	return x < 0;
}
