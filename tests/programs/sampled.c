/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * No function counts its calls, so that the profile has samples alone.
 */
#include <stdio.h>
#include <stdlib.h>

#define UNCOUNTED __attribute__((noinline, no_instrument_function))

UNCOUNTED static unsigned long collatz_steps(unsigned long n)
{
	unsigned long steps = 0;

	for (; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
		steps++;
	return steps;
}

UNCOUNTED static unsigned long greatest_divisor(unsigned long a, unsigned long b)
{
	while (b) {
		unsigned long t = a % b;

		a = b;
		b = t;
	}
	return a;
}

UNCOUNTED int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, sum = 0;

	for (unsigned long n = 1; n < 250000 * rounds; n++)
		sum += greatest_divisor(collatz_steps(n), n);
	printf("%lu\n", sum);
	return 0;
}
