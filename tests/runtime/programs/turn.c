/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plugin for stacks.c. Built with WHICH 1 and 2, two files of one layout: whatever an address
 * says, they are not the same.
 */
int plugin(void (*leaf)(double), double seconds);

int plugin(void (*leaf)(double), double seconds)
{
	volatile double x = WHICH;

	for (int i = 0; i < 4000000; i++)
		x = x + i;
	leaf(seconds);
	return (int)x;
}
