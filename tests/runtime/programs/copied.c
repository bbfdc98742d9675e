/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plugin for copies.c.
 */
#include "truth.h"

void plugin_enter(int n);

APART void plugin_leaf(void)
{
	__asm__ volatile("");
}

void plugin_enter(int n)
{
	for (int i = 0; i < n; i++)
		plugin_leaf();
	NO_TAIL_CALL;
}
