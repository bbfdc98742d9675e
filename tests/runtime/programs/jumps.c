/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recursion, mutual recursion, jumps over frames, handlers on a stack as small as it can be, and
 * callbacks.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "truth.h"

enum { DEPTH = 1000, TIMES = 50, HANDLED = 100, ROOM = 2048 };

static jmp_buf way_out;
static uint64_t nhandled, ncompare;

APART void leaf(void)
{
	__asm__ volatile("");
}

APART void down(int n)
{
	if (n)
		down(n - 1);
	NO_TAIL_CALL;
}

APART void pong(int n);

APART void ping(int n)
{
	if (n)
		pong(n - 1);
	NO_TAIL_CALL;
}

APART void pong(int n)
{
	if (n)
		ping(n - 1);
	NO_TAIL_CALL;
}

APART void deep(int n)
{
	leaf();
	if (!n)
		longjmp(way_out, 1);
	deep(n - 1);
	leaf();
	NO_TAIL_CALL;
}

APART void on_signal(int number)
{
	(void)number;
	nhandled++;
	leaf();
	NO_TAIL_CALL;
}

/* In a thread that has made no call before: its first ones are on the small stack. */
APART UNCOUNTED static void *on_small_stack(void *argument)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	stack_t small = { .ss_size = getauxval(AT_MINSIGSTKSZ) + ROOM };

	(void)argument;
	if (small.ss_size < (size_t)MINSIGSTKSZ)
		small.ss_size = (size_t)MINSIGSTKSZ;
	small.ss_sp = malloc(small.ss_size);
	sigfillset(&action.sa_mask);
	if (!small.ss_sp || sigaltstack(&small, NULL) || sigaction(SIGUSR1, &action, NULL))
		abort();
	for (int i = 0; i < HANDLED; i++)
		pthread_kill(pthread_self(), SIGUSR1);
	small.ss_flags = SS_DISABLE;
	sigaltstack(&small, NULL);
	free(small.ss_sp);
	return NULL;
}

APART int compare(const void *a, const void *b)
{
	ncompare++;
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

APART void call_back(void)
{
	static int items[HANDLED];

	for (int i = 0; i < HANDLED; i++)
		items[i] = i * 37 % HANDLED;
	qsort(items, HANDLED, sizeof(items[0]), compare);
}

UNCOUNTED static void tell(void)
{
	arc("main", "down", 1);
	arc("down", "down", DEPTH);
	arc("main", "ping", 1);
	arc("pong", "ping", DEPTH / 2);
	arc("ping", "pong", DEPTH / 2);
	arc("main", "deep", TIMES);
	arc("deep", "deep", 10 * TIMES);
	arc("deep", "leaf", 11 * TIMES);
	arc(OUTSIDE, "on_signal", nhandled);
	arc("on_signal", "leaf", nhandled);
	arc("main", "call_back", 1);
	arc(OUTSIDE, "compare", ncompare);
}

int main(void)
{
	pthread_t thread;
	volatile int i;

	down(DEPTH);
	ping(DEPTH);
	for (i = 0; i < TIMES; i++)
		if (!setjmp(way_out))
			deep(10);
	if (pthread_create(&thread, NULL, on_small_stack, NULL) || pthread_join(thread, NULL))
		return 1;
	call_back();
	tell();
	return nhandled != HANDLED;
}
