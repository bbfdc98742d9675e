/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two functions to be built by -pg -finstrument-functions, one also from several places, and one
 * for which OTHER says how; and enough others that tables have to grow.
 */
#include "hundreds.h"
#include "truth.h"

#define CALLEE(n)                     \
	APART static void f##n(void)  \
	{                             \
		__asm__ volatile(""); \
	}
HUNDRED(CALLEE, 1)
HUNDRED(CALLEE, 2)

#define CALL(n) f##n();

APART void leaf(void)
{
	__asm__ volatile("");
}

APART void work(int n)
{
	for (int i = 0; i < n; i++) {
		leaf();
		if (i % 3 == 0)
			leaf();
	}
	NO_TAIL_CALL;
}

APART void all(void)
{
	HUNDRED(CALL, 1)
	HUNDRED(CALL, 2)
	leaf();
	NO_TAIL_CALL;
}

int main(void)
{
	for (int i = 0; i < 7; i++)
		all();
	work(300);
	arc("main", "all", 7);
	arc("main", "work", 1);
	arc("work", "leaf", 400);
	arc("all", "leaf", 7);
#define TELL(n) arc("all", "f" #n, 7);
	HUNDRED(TELL, 1)
	HUNDRED(TELL, 2)
	return 0;
}
