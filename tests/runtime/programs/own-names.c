/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Has functions of its own by names that libgmon has, too: for -finstrument-functions, which count
 * calls, and profil() and mcleanup(), which nobody else may call. OWN_HOOKS: the former as well.
 */
#include <stdlib.h>

#include "truth.h"

static unsigned long hooked, called;

#ifdef OWN_HOOKS
UNCOUNTED void __cyg_profile_func_enter(void *function, void *call_site);
UNCOUNTED void __cyg_profile_func_exit(void *function, void *call_site);

void __cyg_profile_func_enter(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
	hooked++;
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
}
#endif

UNCOUNTED int profil(int own);
UNCOUNTED int mcleanup(int own);

int profil(int own)
{
	if (own != 1)
		abort();
	called++;
	return 0;
}

int mcleanup(int own)
{
	return profil(own);
}

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

int main(void)
{
	work(1000);
	profil(1);
	mcleanup(1);
	arc("main", "work", 1);
	arc("work", "leaf", 1000);
#ifdef OWN_HOOKS
	return called != 2 || hooked != 1002;
#else
	return called != 2;
#endif
}
