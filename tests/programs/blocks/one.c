/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of one and of many basic blocks, for tests/differential/sources.sh. It is never run. */
int helper(int n);

/*
 * A function of this file comes first: until the file changes, GNU gprof takes it for another one
 * (doc/differences.md, line-files).
 */
static int ready(int n)
{
	return n >= 0;
}

#include "near/inline.h"

static int loops(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i & 1 ? clamp(i) : n > 7 ? -i : i;
	while (sum > 100)
		sum /= 3;
	return sum;
}

int entry(int n)
{
	if (ready(n) && n > 3 && n < 90)
		return loops(n) + helper(n - 1);

	return clamp(n);
}

int main(int argc, char **argv)
{
	(void)argv;
	return entry(argc) == 0;
}
