/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 2^32 + 1000 calls by one caller.
 */
#include "truth.h"

APART void leaf(void)
{
	__asm__ volatile("");
}

int main(void)
{
	const uint64_t n = ((uint64_t)1 << 32) + 1000;

	for (uint64_t i = 0; i < n; i++)
		leaf();
	arc("main", "leaf", n);
	return 0;
}
