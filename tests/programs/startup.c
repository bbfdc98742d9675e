/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of primes made by constructors before main, searched by bsearch, sorted by qsort, and
 * reported by atexit handlers and a destructor.
 */
#include <stdio.h>
#include <stdlib.h>

enum { LIMIT = 60000 };

static unsigned primes[LIMIT];
static unsigned char composite[LIMIT];
static size_t nprimes, found;

static void strike(unsigned prime)
{
	for (unsigned i = 2 * prime; i < LIMIT; i += prime)
		composite[i] = 1;
}

__attribute__((constructor(101))) static void make_sieve(void)
{
	for (unsigned i = 2; i < LIMIT; i++)
		if (!composite[i])
			strike(i);
}

__attribute__((constructor(102))) static void list_primes(void)
{
	for (unsigned i = LIMIT - 1; i > 1; i--)
		if (!composite[i])
			primes[nprimes++] = i;
}

static int compare(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

static unsigned last_digits(unsigned n)
{
	return n % 1000;
}

static int compare_digits(const void *a, const void *b)
{
	unsigned x = last_digits(*(const unsigned *)a), y = last_digits(*(const unsigned *)b);

	return x != y ? (x < y ? -1 : 1) : compare(a, b);
}

static int is_prime(unsigned n)
{
	return bsearch(&n, primes, nprimes, sizeof(*primes), compare) != NULL;
}

__attribute__((destructor)) static void check(void)
{
	if (nprimes != 6057)
		abort();
}

static void report(void)
{
	printf("%zu of %zu\n", found, nprimes);
}

static void farewell(void)
{
	puts("twins:");
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	atexit(report);
	atexit(farewell);
	for (int i = 0; i < 15 * rounds; i++) {
		qsort(primes, nprimes, sizeof(*primes), compare_digits);
		qsort(primes, nprimes, sizeof(*primes), compare);
		for (unsigned n = 3; n + 2 < LIMIT; n += 2)
			found += is_prime(n) && is_prime(n + 2);
	}
	return 0;
}
