/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library that calls-later.c loads. It counts its own calls: those of its constructor, and of a
 * thread that this starts, too. NAME is the beginning of the names of its functions.
 */
#include <pthread.h>

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define APART       __attribute__((noinline, noclone, aligned(16)))

static long leaves, steps;

APART static void JOIN(NAME, leaf)(void)
{
	__atomic_add_fetch(&leaves, 1, __ATOMIC_RELAXED);
}

APART static void JOIN(NAME, step)(void)
{
	__atomic_add_fetch(&steps, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 3; i++)
		JOIN(NAME, leaf)();
}

static void *in_thread(void *nothing)
{
	for (int i = 0; i < 50; i++)
		JOIN(NAME, step)();
	return nothing;
}

#ifndef WITHOUT_CONSTRUCTOR
__attribute__((constructor)) static void begins(void)
{
	pthread_t thread;

	for (int i = 0; i < 7; i++)
		JOIN(NAME, step)();
	if (!pthread_create(&thread, NULL, in_thread, NULL))
		pthread_join(thread, NULL);
}
#endif

void plugin_run(int n)
{
	for (int i = 0; i < n; i++)
		JOIN(NAME, step)();
	if (n < 0)
		in_thread(NULL);
}

void plugin_tell(long *leaf, long *step)
{
	*leaf = leaves;
	*step = steps;
}
