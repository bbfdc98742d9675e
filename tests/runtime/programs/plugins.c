/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plugins FILE...: loads and unloads each library in turn, all over, and lets it call back.
 */
#include <dlfcn.h>

#include "truth.h"

enum { ROUNDS = 50, CALLS = 10 };

typedef int plugin(int (*callback)(int), int n);

APART int callback(int x)
{
	return x + 1;
}

APART int own(int x)
{
	int y = callback(x);

	NO_TAIL_CALL;
	return y;
}

int main(int argc, char **argv)
{
	int ncalls = 0;

	for (int i = 0; i < ROUNDS; i++)
		for (int k = 1; k < argc; k++) {
			void *library = dlopen(argv[k], RTLD_NOW);
			plugin *run = library ? (plugin *)dlsym(library, "run") : NULL;

			if (!run || run(callback, CALLS) != CALLS * (CALLS + 1) / 2)
				return 1;
			ncalls += CALLS;
			own(i);
			if (dlclose(library))
				return 2;
		}
	arc("main", "own", (uint64_t)ROUNDS * (uint64_t)(argc - 1));
	arc("own", "callback", (uint64_t)ROUNDS * (uint64_t)(argc - 1));
	arc(OUTSIDE, "callback", (uint64_t)ncalls);
	return 0;
}
