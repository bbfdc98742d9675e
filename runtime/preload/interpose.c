/* SPDX-License-Identifier: MIT */
/*
 * Calls of the C library that the shared library takes over, for programs that never call us and
 * with GMON=run alone: pthread_create(), so that threads are sampled from their beginning, and
 * _exit(), with which shells end. The archive lacks them, as programs linked statically have the C
 * library's; and what the C library does by itself is not seen here.
 */
#include <dlfcn.h>
#include <gmon.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/sys.h"
#include "count/thread.h"
#include "life.h"
#include "record/process.h"
#include "sample/clock.h"
#include "sample/sample.h"
#include "state.h"

typedef void *interpose_start(void *argument);
typedef int interpose_function(pthread_t *thread, const pthread_attr_t *attributes,
			       interpose_start *start, void *argument);

/* What a thread is to do: a page of its own, which it gives back. */
struct interpose_order {
	interpose_start *start;
	void *argument;
};

/* Libraries start their threads with all signals blocked, so that they get none of the program's;
 * ours is none of these. */
static void interpose_unblock(void)
{
	uint64_t signal = UINT64_C(1) << (clock_signal() - 1);

	SYS4(SYS_rt_sigprocmask, SIG_UNBLOCK, &signal, NULL, sizeof(signal));
}

static void *interpose_begin(void *given)
{
	struct interpose_order order = *(struct interpose_order *)given;

	sys_munmap(given, sizeof(order));
	interpose_unblock();
	if (!gmon_table)
		thread_begin();
	if (gmon.refused)
		sample_share();
	return order.start(order.argument);
}

PUBLIC int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  interpose_start *start, void *argument)
{
	interpose_function *next = (interpose_function *)dlsym(RTLD_NEXT, "pthread_create");
	struct interpose_order *order = NULL;

	if (gmon.settings.run && gmon.phase == RUNNING)
		order = sys_memory(sizeof(*order));
	if (!order)
		return next(thread, attributes, start, argument);
	order->start = start;
	order->argument = argument;
	int error = next(thread, attributes, interpose_begin, order);
	if (error)
		sys_munmap(order, sizeof(*order));
	return error;
}

/*
 * The C library's, of its part that is linked into each library, names functions that others lack,
 * where the loader then refuses us and ends the program. So these are our own.
 */
#pragma weak __register_atfork
#pragma weak __cxa_at_quick_exit
#pragma weak gnu_get_libc_version
extern int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void),
			     void *object);
extern int __cxa_at_quick_exit(void (*call)(void *), void *object);
extern void *__dso_handle __attribute__((visibility("hidden")));

__attribute__((visibility("hidden"))) int pthread_atfork(void (*before)(void), void (*parent)(void),
							 void (*child)(void))
{
	return __register_atfork ? __register_atfork(before, parent, child, &__dso_handle) : -1;
}

__attribute__((visibility("hidden"))) int at_quick_exit(void (*call)(void))
{
	return __cxa_at_quick_exit ? __cxa_at_quick_exit((void (*)(void *))call, &__dso_handle)
				   : -1;
}

bool life_is_elsewhere(void)
{
#ifdef __GLIBC__
	return !gnu_get_libc_version;
#else
	return false;
#endif
}

PUBLIC _Noreturn void _exit(int status)
{
	if (gmon.settings.run && state_is_ours()) {
		process_end(GMON_EXT_EXITED, status & 0xff);
		_mcleanup();
	}
	for (;;)
		SYS1(SYS_exit_group, status);
}

PUBLIC _Noreturn void _Exit(int status) __attribute__((alias("_exit")));
