/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Has more arcs than the first table holds, when there is no memory for a larger one; and a thread,
 * when there is none for its first. Tells how many calls it made.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "hundreds.h"
#include "truth.h"

enum { IN_THREAD = 50 };

static uint64_t ncalls;
static pthread_barrier_t limited;

#define CALLEE(n)                    \
	APART static void f##n(void) \
	{                            \
		ncalls++;            \
	}
HUNDRED(CALLEE, 1)
HUNDRED(CALLEE, 2)
HUNDRED(CALLEE, 3)

#define CALL(n) f##n();

APART UNCOUNTED static void *in_thread(void *argument)
{
	pthread_barrier_wait(&limited);
	for (int i = 0; i < IN_THREAD; i++)
		f100();
	return argument;
}

int main(void)
{
	const struct rlimit little = { 1 << 20, 1 << 20 };
	pthread_t thread;

	ncalls = 1; /* main itself */
	pthread_barrier_init(&limited, NULL, 2);
	if (pthread_create(&thread, NULL, in_thread, NULL))
		return 1;
	setrlimit(RLIMIT_AS, &little);
	HUNDRED(CALL, 1)
	HUNDRED(CALL, 2)
	HUNDRED(CALL, 3)
	pthread_barrier_wait(&limited);
	pthread_join(thread, NULL);
	printf("%llu calls\n", (unsigned long long)ncalls);
	return 0;
}
