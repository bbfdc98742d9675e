/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Amounts of money in functions whose names contain a dollar sign.
 */
#include <stdio.h>
#include <stdlib.h>

struct account {
	long cents, fee$cents;
};

long add$cents(long a, long b)
{
	return a + b;
}

static long round$(long cents)
{
	return (cents + 50) / 100 * 100;
}

static long interest$(long cents, int years)
{
	for (int i = 0; i < years; i++)
		cents = add$cents(cents, cents / 40);
	return cents;
}

long to$(const struct account *a)
{
	return round$(interest$(a->cents, 30)) - a->fee$cents;
}

static int by_cents(const void *a, const void *b)
{
	const struct account *x = a, *y = b;

	return (x->cents > y->cents) - (x->cents < y->cents);
}

int main(int argc, char **argv)
{
	enum { ACCOUNTS = 1000 };
	static struct account account[ACCOUNTS];
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	long sum = 0;

	for (int round = 0; round < 400 * rounds; round++) {
		for (long i = 0; i < ACCOUNTS; i++)
			account[i] =
				(struct account){ .cents = i * 7919 % 100003, .fee$cents = i % 90 };
		qsort(account, ACCOUNTS, sizeof(*account), by_cents);
		for (int i = 0; i < ACCOUNTS; i++)
			sum = add$cents(sum, to$(&account[i]));
	}
	printf("%ld\n", sum);
	return 0;
}
