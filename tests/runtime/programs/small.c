/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small callers, several in 16 bytes of code; among them some whose call is their last instruction,
 * since it does not return: the return address lies in the function behind.
 */
#include <setjmp.h>

#include "truth.h"

static jmp_buf way_out;

APART void leaf(void)
{
	__asm__ volatile("");
}

APART __attribute__((noreturn)) void leave(void)
{
	longjmp(way_out, 1);
}

#define SMALL(n)                                        \
	APART void a##n(void)                           \
	{                                               \
		leaf();                                 \
		NO_TAIL_CALL;                           \
	}                                               \
	APART __attribute__((noreturn)) void q##n(void) \
	{                                               \
		leave();                                \
	}
#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
ALL(SMALL)

#define CALL(n)                        \
	for (int i = 0; i <= n; i++) { \
		a##n();                \
		if (!setjmp(way_out))  \
			q##n();        \
	}                              \
	arc("main", "a" #n, n + 1);    \
	arc("main", "q" #n, n + 1);    \
	arc("a" #n, "leaf", n + 1);    \
	arc("q" #n, "leave", n + 1);

int main(void)
{
	ALL(CALL)
	return 0;
}
