/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * copies [PLUGIN [close]]: makes calls and uses CPU time, before and after those that a plugin with
 * a libgmon of its own makes; closes it when told to.
 */
#include <dlfcn.h>
#include <string.h>
#include <time.h>

#include "truth.h"
#include "used.h"

APART void leaf(void)
{
	__asm__ volatile("");
}

APART void work(int n)
{
	for (int i = 0; i < n; i++)
		leaf();
	NO_TAIL_CALL;
}

APART double burn(double seconds)
{
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	volatile double x = 0;

	while (clock() < end)
		for (int i = 0; i < USED_STEPS; i++)
			x = x + i;
	return x;
}

int main(int argc, char **argv)
{
	void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	void (*enter)(int) = plugin ? (void (*)(int))dlsym(plugin, "plugin_enter") : NULL;

	if (argc > 1 && !enter)
		return 99;
	work(1000);
	if (enter)
		enter(500);
	burn(0.4);
	work(200);
	if (argc > 2 && !strcmp(argv[2], "close"))
		dlclose(plugin);
	burn(0.1);
	arc("main", "work", 2);
	arc("work", "leaf", 1200);
	used_seconds();
	return 0;
}
