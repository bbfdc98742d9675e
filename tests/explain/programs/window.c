/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts the profile itself, for a part of its code in which little of the time is spent. To be
 * linked without -pg.
 */
#include <stdlib.h>
#include <time.h>

#include "work.h"

void monstartup(unsigned long low, unsigned long high);
void _mcleanup(void);

APART double first(double x)
{
	for (int i = 0; i < 400; i++)
		x = x * 0.999 + 1;
	return x;
}

APART double second(double x)
{
	for (int i = 0; i < 1200; i++)
		x = x * 0.999 + 1;
	return first(x);
}

APART double third(double x)
{
	for (int i = 0; i < 100; i++)
		x = x * 0.998 + 1;
	return second(x);
}

__attribute__((no_instrument_function)) int main(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC * 3 / 10;
	double x = 0;

	monstartup((unsigned long)first, (unsigned long)second);
	atexit(_mcleanup);
	while (clock() < end)
		for (int i = 0; i < 50; i++)
			x = third(x);
	return x < 0;
}
