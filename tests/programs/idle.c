/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ends too early for a sample: the profile has calls alone.
 */
#include <stdio.h>
#include <stdlib.h>

static unsigned long factorial(unsigned n)
{
	return n < 2 ? 1 : n * factorial(n - 1);
}

static unsigned long power(unsigned long base, unsigned n)
{
	return n == 0 ? 1 : n % 2 ? base * power(base, n - 1) : power(base * base, n / 2);
}

unsigned long choose(unsigned n, unsigned k)
{
	return factorial(n) / factorial(k) / factorial(n - k);
}

unsigned long never_called(void)
{
	return choose(9, 3);
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, sum = 0;

	for (unsigned long i = 0; i < 10 * rounds; i++)
		for (unsigned k = 0; k <= 12; k++)
			sum += choose(12, k) * power(2, k);
	if (sum == 0)
		sum = never_called();
	printf("%lu\n", sum);
	return 0;
}
