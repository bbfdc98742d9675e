/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bit counts by a function that is chosen when the program is loaded (IFUNC).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned count_function(uint64_t bits);

unsigned count_by_loop(uint64_t bits)
{
	unsigned n = 0;

	for (; bits; bits >>= 1)
		n += bits & 1;
	return n;
}

unsigned count_by_clearing(uint64_t bits)
{
	unsigned n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

/* Runs before the program is ready to count calls. */
__attribute__((no_instrument_function)) static count_function *choose_count(void)
{
	return count_by_clearing;
}

__attribute__((no_instrument_function)) static count_function *choose_slow_count(void)
{
	return count_by_loop;
}

unsigned count_bits(uint64_t bits) __attribute__((ifunc("choose_count")));
static unsigned count_slowly(uint64_t bits) __attribute__((ifunc("choose_slow_count")));

static uint64_t next_bits(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x ^ x << 17;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	uint64_t x = 88172645463325252u;
	unsigned long sum = 0;

	for (int i = 0; i < 2000000 * rounds; i++) {
		x = next_bits(x);
		sum += count_bits(x);
		if (i % 4 == 0)
			sum -= count_slowly(x);
	}
	printf("%lu\n", sum);
	return 0;
}
