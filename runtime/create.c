/* SPDX-License-Identifier: MIT */
/*
 * pthread_create() in the shared library: with GMON=run, threads of a program that never calls us
 * are sampled from their beginning. The archive lacks it, as programs linked statically have the
 * C library's; and what the C library starts by itself is not seen here.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>

#include "clock.h"
#include "state.h"
#include "sys.h"
#include "thread.h"

typedef void *create_start(void *argument);
typedef int create_function(pthread_t *thread, const pthread_attr_t *attributes,
			    create_start *start, void *argument);

/* What a thread is to do: a page of its own, which it gives back. */
struct create_order {
	create_start *start;
	void *argument;
};

/* Libraries start their threads with all signals blocked, so that they get none of the program's;
 * ours is none of these. */
static void create_unblock(void)
{
	uint64_t signal = UINT64_C(1) << (clock_signal() - 1);

	SYS4(SYS_rt_sigprocmask, SIG_UNBLOCK, &signal, NULL, sizeof(signal));
}

static void *create_begin(void *given)
{
	struct create_order order = *(struct create_order *)given;

	sys_munmap(given, sizeof(order));
	create_unblock();
	if (!gmon_table)
		thread_begin();
	return order.start(order.argument);
}

PUBLIC int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, create_start *start,
			  void *argument)
{
	create_function *next = (create_function *)dlsym(RTLD_NEXT, "pthread_create");
	struct create_order *order = NULL;

	if (gmon.settings.run && gmon.phase == RUNNING)
		order = sys_memory(sizeof(*order));
	if (!order)
		return next(thread, attributes, start, argument);
	order->start = start;
	order->argument = argument;
	int error = next(thread, attributes, create_begin, order);
	if (error)
		sys_munmap(order, sizeof(*order));
	return error;
}
