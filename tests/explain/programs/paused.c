/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pauses its profile at the wrong places: half of the calls of handle() are not counted, but all
 * that handle() makes.
 */
#include <stdlib.h>

#include "work.h"

int moncontrol(int mode);

APART double step(double x)
{
	for (int i = 0; i < 500; i++)
		x = x * 0.999 + 1;
	return x;
}

APART double handle(double x)
{
	moncontrol(1);
	return step(x) + 1;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double x = 0;

	for (int i = 0; i < 200000 * rounds; i++) {
		moncontrol(i % 2);
		x = handle(x);
	}
	return x < 0;
}
