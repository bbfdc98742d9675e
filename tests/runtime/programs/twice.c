/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions to be built by -pg -finstrument-functions: called from several places, neighbours from
 * one place, and so many that tables have to grow.
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

/* Neighbours that are called from one place. */
APART void dispatch(void (*const *callees)(void), int n)
{
	for (int i = 0; i < n; i++)
		callees[i]();
	NO_TAIL_CALL;
}

int main(void)
{
	static void (*const neighbours[])(void) = { f155, f154, f153, f152, f151,
						    f156, f157, f158, f159 };
	enum { N = sizeof(neighbours) / sizeof(neighbours[0]) };

	dispatch(neighbours, N);
	dispatch(neighbours, N);
	for (int i = 0; i < 7; i++)
		all();
	work(300);
	arc("main", "dispatch", 2);
#define TELL_NEIGHBOUR(n) arc("dispatch", "f" #n, 2);
	TELL_NEIGHBOUR(151)
	TELL_NEIGHBOUR(152)
	TELL_NEIGHBOUR(153)
	TELL_NEIGHBOUR(154)
	TELL_NEIGHBOUR(155)
	TELL_NEIGHBOUR(156)
	TELL_NEIGHBOUR(157)
	TELL_NEIGHBOUR(158)
	TELL_NEIGHBOUR(159)
	arc("main", "all", 7);
	arc("main", "work", 1);
	arc("work", "leaf", 400);
	arc("all", "leaf", 7);
#define TELL(n) arc("all", "f" #n, 7);
	HUNDRED(TELL, 1)
	HUNDRED(TELL, 2)
	return 0;
}
