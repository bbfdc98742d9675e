/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A second counter of calls: the hooks of -finstrument-functions, which know nothing of mcount, in
 * a program that is built for both. Writes the file `counted' at the end: the address of each
 * function as it is in the program's file, and how often it was called.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 1 << 17, FACTOR = 0x9e3779b1 };

extern char __executable_start;
void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

static struct {
	_Atomic uintptr_t function;
	atomic_ullong calls;
} counts[ROOM];

void __cyg_profile_func_enter(void *function, void *call_site)
{
	uintptr_t address = (uintptr_t)function;

	(void)call_site;
	for (size_t at = (uint32_t)(address * FACTOR) % ROOM;; at = (at + 1) % ROOM) {
		uintptr_t found = counts[at].function;

		if (!found && atomic_compare_exchange_strong(&counts[at].function, &found, address))
			found = address;
		if (found == address) {
			counts[at].calls++;
			return;
		}
	}
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
}

/* Behind all that atexit() was given, as writing the profile is. */
__attribute__((destructor)) static void tell(void)
{
	const char *name = getenv("COUNTED");
	FILE *file = name ? fopen(name, "w") : NULL;
	uintptr_t bias = (uintptr_t)&__executable_start;

	if (!file)
		return;
	for (size_t i = 0; i < ROOM; i++)
		if (counts[i].function)
			fprintf(file, "%llx %llu\n",
				(unsigned long long)(counts[i].function - bias),
				(unsigned long long)counts[i].calls);
	fclose(file);
}
