/* SPDX-License-Identifier: GPL-3.0-or-later */
int entry(int n);

/* Shares its name with the one of one.c. */
static int loops(int n)
{
	return n > 10 ? n - 1 : n + 1;
}

#include "inline.h"

int helper(int n)
{
	switch (n % 3) {
	case 0:
		return loops(n);
	case 1:
		return clamp(n) + 1;
	default:
		return n > 50 ? n : entry(n + 1);
	}
}

#line 500 "made-up.y"
int unfound(int n)
{
	return n * 2;
}
