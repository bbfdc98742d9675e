/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * threads N [CALLS]: N threads at once, each with CALLS calls of a function all share, and calls of
 * functions that differ from thread to thread.
 */
#include <pthread.h>
#include <stdlib.h>

#include "truth.h"

enum { MOST = 64, KINDS = 4 };

static long calls = 100000;

APART void shared(void)
{
	__asm__ volatile("");
}

#define KIND(n)                         \
	APART static void kind##n(void) \
	{                               \
		shared();               \
		NO_TAIL_CALL;           \
	}
KIND(0)
KIND(1)
KIND(2)
KIND(3)

APART void *work(void *argument)
{
	static void (*const kinds[KINDS])(void) = { kind0, kind1, kind2, kind3 };

	for (long i = 0; i < calls; i++)
		shared();
	for (long i = 0; i < 1000; i++)
		kinds[(size_t)argument % KINDS]();
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	uint64_t of_kind[KINDS] = { 0 };
	pthread_t thread[MOST];

	if (argc > 2)
		calls = atol(argv[2]);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, work, (char *)NULL + i))
			return 1;
	for (int i = 0; i < n; i++) {
		pthread_join(thread[i], NULL);
		of_kind[i % KINDS] += 1000;
	}
	arc(OUTSIDE, "work", (uint64_t)n);
	arc("work", "shared", (uint64_t)(n * calls));
	for (int i = 0; i < KINDS; i++) {
		char name[] = { 'k', 'i', 'n', 'd', (char)('0' + i), '\0' };

		arc("work", name, of_kind[i]);
		arc(name, "shared", of_kind[i]);
	}
	return 0;
}
