/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two cycles, functions with equal numbers, and some time. With an argument, all comes the other
 * way round.
 */
#include <stdio.h>

#define OWN __attribute__((noinline))

static volatile unsigned sink;

OWN static void spend(unsigned n)
{
	for (unsigned i = 0; i < 1000 * n; i++)
		sink += i;
}

OWN static void left(int n);

OWN static void right(int n)
{
	spend(1);
	if (n > 0)
		left(n - 1);
	spend(2);
}

OWN static void left(int n)
{
	spend(1);
	if (n > 0)
		right(n - 1);
	spend(3);
}

OWN static int third(int n);
OWN static int fourth(int n);

OWN static int second(int n)
{
	return n > 0 ? third(n - 1) + 1 : 0;
}

OWN static int third(int n)
{
	return n > 0 ? fourth(n - 1) + second(n - 2) : 1;
}

OWN static int fourth(int n)
{
	spend(1);
	return n > 0 ? second(n - 1) + third(n - 1) : 2;
}

OWN static void equal(void)
{
	spend(4);
}

OWN static void alike(void)
{
	spend(4);
}

int main(int argc, char **argv)
{
	int sum = 0;

	(void)argv;
	if (argc > 1) {
		alike();
		sum += fourth(14);
		right(300);
		equal();
	}
	equal();
	left(300);
	sum += second(16);
	alike();
	printf("%d\n", sum);
	return 0;
}
