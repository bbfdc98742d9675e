/* SPDX-License-Identifier: MIT */
/*
 * Functions of the C library that the shared library takes over with GMON=run, for programs that
 * never call us: pthread_create(), so that threads are sampled from their start, and _exit(), by
 * which shells end. The archive lacks them, since static programs have the C library's. Calls
 * inside the C library do not come here.
 */
#include <dlfcn.h>
#include <gmon.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/sys.h"
#include "calls/calls.h"
#include "count/thread.h"
#include "life.h"
#include "preload/masks.h"
#include "record/process.h"
#include "sample/clock.h"
#include "sample/sample.h"
#include "state.h"
#include "write/live.h"

typedef void *interpose_start(void *argument);
typedef int interpose_function(pthread_t *thread, const pthread_attr_t *attributes,
			       interpose_start *start, void *argument);

/* What a new thread is to call. */
struct interpose_order {
	interpose_start *start;
	void *argument;
	bool blocked; /* see masks_begin() */
};

enum { INTERPOSE_ORDERS = 256, INTERPOSE_BITS = 8 * sizeof(unsigned long) };

/* Orders of threads that are about to begin, and a bit of each that is in use; any thread, by
 * compare-and-swap. */
static struct interpose_order interpose_orders[INTERPOSE_ORDERS];
static unsigned long interpose_used[INTERPOSE_ORDERS / INTERPOSE_BITS];

/* Takes the first free order of a word of bits; NULL: none is free. */
static struct interpose_order *interpose_take_of(unsigned word)
{
	unsigned long used = __atomic_load_n(&interpose_used[word], __ATOMIC_RELAXED);

	while (~used) {
		unsigned bit = (unsigned)__builtin_ctzl(~used);

		if (__atomic_compare_exchange_n(&interpose_used[word], &used, used | 1UL << bit,
						false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return &interpose_orders[word * INTERPOSE_BITS + bit];
	}
	return NULL;
}

/* An order; if very many threads are about to begin, in a page of its own. NULL: no memory. */
static struct interpose_order *interpose_take(void)
{
	struct interpose_order *order = NULL;

	for (unsigned i = 0; !order && i < INTERPOSE_ORDERS / INTERPOSE_BITS; i++)
		order = interpose_take_of(i);
	return order ? order : sys_memory(sizeof(*order));
}

static void interpose_give_back(struct interpose_order *order)
{
	uintptr_t at = (uintptr_t)order - (uintptr_t)interpose_orders;
	unsigned i = (unsigned)(at / sizeof(*order));

	if (at < sizeof(interpose_orders))
		__atomic_fetch_and(&interpose_used[i / INTERPOSE_BITS],
				   ~(1UL << i % INTERPOSE_BITS), __ATOMIC_RELEASE);
	else
		sys_munmap(order, sizeof(*order));
}

static void *interpose_begin(void *given)
{
	struct interpose_order order = *(struct interpose_order *)given;

	interpose_give_back(given);
	masks_begin(order.blocked);
	if (!thread_self())
		thread_enter(CLOCK_NEW);
	if (calls_thread_begin)
		calls_thread_begin(thread_self());
	if (gmon.refused)
		sample_share();
	return order.start(order.argument);
}

PUBLIC int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  interpose_start *start, void *argument)
{
	static interpose_function *found;
	interpose_function *next = __atomic_load_n(&found, __ATOMIC_RELAXED);
	struct interpose_order *order = NULL;

	if (!next) {
		next = (interpose_function *)dlsym(RTLD_NEXT, "pthread_create");
		__atomic_store_n(&found, next, __ATOMIC_RELAXED);
	}
	if (gmon.settings.run && gmon.phase == RUNNING) {
		/* Else the new thread would count beside the window until its first tick. */
		if (live_is_late())
			live_without_ticks();
		order = interpose_take();
	}
	if (!order)
		return next(thread, attributes, start, argument);
	order->start = start;
	order->argument = argument;
	order->blocked = masks_blocked();
	int error = next(thread, attributes, interpose_begin, order);
	if (error)
		interpose_give_back(order);
	return error;
}

/*
 * pthread_atfork() and at_quick_exit() of our own. glibc's, which it links into each library, refer
 * to functions that other C libraries lack: their loader would refuse our library and end the
 * program.
 */
#pragma weak __register_atfork
#pragma weak __cxa_at_quick_exit
extern int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void),
			     void *object);
extern int __cxa_at_quick_exit(void (*call)(void *), void *object);
extern void *__dso_handle __attribute__((visibility("hidden")));

__attribute__((visibility("hidden"))) int pthread_atfork(void (*before)(void), void (*parent)(void),
							 void (*child)(void))
{
	int (*next)(void (*)(void), void (*)(void), void (*)(void));

	if (__register_atfork)
		return __register_atfork(before, parent, child, &__dso_handle);
	next = (int (*)(void (*)(void), void (*)(void), void (*)(void)))dlsym(RTLD_NEXT,
									      "pthread_atfork");
	return next ? next(before, parent, child) : -1;
}

__attribute__((visibility("hidden"))) int at_quick_exit(void (*call)(void))
{
	int (*next)(void (*)(void));

	if (__cxa_at_quick_exit)
		return __cxa_at_quick_exit((void (*)(void *))call, &__dso_handle);
	next = (int (*)(void (*)(void)))dlsym(RTLD_NEXT, "at_quick_exit");
	return next ? next(call) : -1;
}

PUBLIC _Noreturn void _exit(int status)
{
	if (gmon.settings.run && gmon.phase != REFUSED && state_is_ours()) {
		process_end(GMON_EXT_EXITED, status & 0xff);
		_mcleanup();
	}
	for (;;)
		SYS1(SYS_exit_group, status);
}

PUBLIC _Noreturn void _Exit(int status) __attribute__((alias("_exit")));
