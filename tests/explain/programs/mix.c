/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "work.h"

APART double mix(double x, int n)
{
	for (int i = 0; i < n; i++)
		x = x * 0.999 + 1;
	return x;
}
