/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions chosen at load time. The choosers are profiled too: in a static program they call
 * mcount before thread-local storage exists. Such calls cannot be counted, but must do no harm.
 */
#include "truth.h"

typedef int function(int x);

static volatile int fast = 1;

APART int by_loop(int x)
{
	int n = 0;

	for (unsigned bits = (unsigned)x; bits; bits >>= 1)
		n += bits & 1;
	return n;
}

APART int by_clearing(int x)
{
	int n = 0;

	for (unsigned bits = (unsigned)x; bits; bits &= bits - 1)
		n++;
	return n;
}

APART int is_fast(void)
{
	return fast;
}

APART function *choose(void)
{
	return is_fast() ? by_clearing : by_loop;
}

int count_bits(int x) __attribute__((ifunc("choose")));

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 256; i++)
		sum += count_bits(i);
	arc("main", "by_clearing", 256);
	return sum != 1024;
}
