/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls before main and after it. What destructors call is too late for the profile: it has been
 * written.
 */
#include "truth.h"

static volatile unsigned long sink;

APART void leaf(void)
{
	sink++;
}

APART __attribute__((constructor)) void early(void)
{
	for (int i = 0; i < 11; i++)
		leaf();
	NO_TAIL_CALL;
}

APART __attribute__((destructor)) void late(void)
{
	for (int i = 0; i < 7; i++)
		leaf();
	NO_TAIL_CALL;
}

int main(void)
{
	for (int i = 0; i < 100; i++)
		leaf();
	arc(OUTSIDE, "early", 1);
	arc("early", "leaf", 11);
	arc("main", "leaf", 100);
	return 0;
}
