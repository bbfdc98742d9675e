/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library for plugins.c; PADDING bytes make it another one.
 */
#include "truth.h"

int run(int (*callback)(int), int n);

__attribute__((used)) static const char padding[PADDING];

APART int inner(int x)
{
	return x;
}

APART int run(int (*callback)(int), int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += callback(inner(i));
	return sum;
}
