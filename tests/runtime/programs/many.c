/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 50,000 arcs: 200 callers, each with one site that calls 250 functions.
 */
#include "hundreds.h"
#include "truth.h"

typedef void function(void);

#define CALLEE(n)                     \
	APART static void f##n(void)  \
	{                             \
		__asm__ volatile(""); \
	}
HUNDRED(CALLEE, 1)
HUNDRED(CALLEE, 2)
FIFTY(CALLEE, 3)

#define ENTRY(n) { f##n, "f" #n },
static const struct {
	function *call;
	const char *name;
} callees[] = { HUNDRED(ENTRY, 1) HUNDRED(ENTRY, 2) FIFTY(ENTRY, 3) };

enum { NCALLEES = sizeof(callees) / sizeof(callees[0]) };

#define CALLER(n)                                        \
	APART static void c##n(void)                     \
	{                                                \
		for (int i = 0; i < NCALLEES; i++)       \
			for (int k = 0; k <= i % 3; k++) \
				callees[i].call();       \
	}
HUNDRED(CALLER, 1)
HUNDRED(CALLER, 2)

#define CALLER_ENTRY(n) { c##n, "c" #n },
static const struct {
	function *call;
	const char *name;
} callers[] = { HUNDRED(CALLER_ENTRY, 1) HUNDRED(CALLER_ENTRY, 2) };

enum { NCALLERS = sizeof(callers) / sizeof(callers[0]) };

int main(void)
{
	for (int i = 0; i < NCALLERS; i++) {
		callers[i].call();
		arc("main", callers[i].name, 1);
		for (int k = 0; k < NCALLEES; k++)
			arc(callers[i].name, callees[k].name, 1 + (uint64_t)k % 3);
	}
	return 0;
}
