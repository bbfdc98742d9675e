/* SPDX-License-Identifier: MIT */
/*
 * Calls that wake other threads, in the shared library only: who makes them is noted for --blame
 * (record/wakers.h).
 *
 * glibc has two kinds of condition variables for programs of x86-64, by the version of the symbol,
 * and a definition without a version would get the calls for both. Ours have that of the newer
 * kind, and are hidden, as one @ says: neither an object that was linked with the older kind, nor
 * one that knows no versions, nor another C library's program finds them. libgmon.map has the
 * versions.
 */
#include "preload/wakes.h"

#include <pthread.h>
#include <semaphore.h>

#include "preload/next.h"
#include "record/wakers.h"
#include "state.h"

typedef int wakes_condition(pthread_cond_t *condition);
typedef int wakes_semaphore(sem_t *semaphore);

PUBLIC wakes_condition wakes_signal, wakes_broadcast;
PUBLIC wakes_semaphore wakes_post;

/* Without a table, nothing is called. */
static inline void wakes_note(const void *address)
{
	if (__atomic_load_n(&gmon.offcpu.wakers, __ATOMIC_RELAXED))
		wakers_note(address);
}

int wakes_signal(pthread_cond_t *condition)
{
	wakes_note(condition);
	return ((wakes_condition *)next_quickly(NEXT_PTHREAD_COND_SIGNAL))(condition);
}

int wakes_broadcast(pthread_cond_t *condition)
{
	wakes_note(condition);
	return ((wakes_condition *)next_quickly(NEXT_PTHREAD_COND_BROADCAST))(condition);
}

int wakes_post(sem_t *semaphore)
{
	wakes_note(semaphore);
	return ((wakes_semaphore *)next_quickly(NEXT_SEM_POST))(semaphore);
}

uintptr_t wakes_behind(uintptr_t function)
{
	if (function == (uintptr_t)wakes_signal)
		return (uintptr_t)next_quickly(NEXT_PTHREAD_COND_SIGNAL);
	if (function == (uintptr_t)wakes_broadcast)
		return (uintptr_t)next_quickly(NEXT_PTHREAD_COND_BROADCAST);
	if (function == (uintptr_t)wakes_post)
		return (uintptr_t)next_quickly(NEXT_SEM_POST);
	return function;
}

__asm__(".symver wakes_signal, pthread_cond_signal@GLIBC_2.3.2");
__asm__(".symver wakes_broadcast, pthread_cond_broadcast@GLIBC_2.3.2");
__asm__(".symver wakes_post, sem_post@GLIBC_2.34");
