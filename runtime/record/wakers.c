/* SPDX-License-Identifier: MIT */
/* Keeps who wakes those who wait at an address. See wakers.h. */
#include "record/wakers.h"

#include <stddef.h>

#include "base/sys.h"
#include "count/thread.h"
#include "state.h"

enum {
	WAKERS_SETS = 64, /* where an address may be, by its multiple of WAKERS_LINE; */
	WAKERS_WAYS = 4,  /* so many of a set have room */
	WAKERS_LINE = 64  /* bytes */
};

/* An address at which threads were woken, and by which entries of threads (thread.h): finding their
 * numbers takes longer. */
struct waker {
	uintptr_t at;                       /* 0: none */
	const struct thread *last, *before; /* see wakers.h; NULL: none */
};

void wakers_prepare(void)
{
	gmon.offcpu.wakers = sys_memory(sizeof(struct waker) * WAKERS_SETS * WAKERS_WAYS);
}

static inline struct waker *wakers_set(struct waker *wakers, uintptr_t line)
{
	return &wakers[line % WAKERS_SETS * WAKERS_WAYS];
}

/* Returns the place of an address, which is made if there is none. Not inline: usually, it is not
 * called. */
__attribute__((noinline)) static struct waker *wakers_place(struct waker *wakers, uintptr_t at)
{
	struct waker *set = wakers_set(wakers, at / WAKERS_LINE), *place = NULL;

	for (uint32_t i = 0; i < WAKERS_WAYS; i++) {
		uintptr_t has = __atomic_load_n(&set[i].at, __ATOMIC_RELAXED);

		if (has == at)
			return &set[i];
		if (!has && !place)
			place = &set[i];
	}
	if (!place)
		place = &set[at / WAKERS_LINE / WAKERS_SETS % WAKERS_WAYS];
	__atomic_store_n(&place->last, NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&place->before, NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&place->at, at, __ATOMIC_RELAXED);
	return place;
}

void wakers_note(const void *address)
{
	struct waker *wakers = gmon.offcpu.wakers;
	struct waker *place = wakers_set(wakers, (uintptr_t)address / WAKERS_LINE);
	const struct thread *self = thread_self(), *last;

	if (__atomic_load_n(&place->at, __ATOMIC_RELAXED) != (uintptr_t)address)
		place = wakers_place(wakers, (uintptr_t)address);
	last = __atomic_load_n(&place->last, __ATOMIC_RELAXED);
	if (last == self)
		return;
	__atomic_store_n(&place->before, last, __ATOMIC_RELAXED);
	__atomic_store_n(&place->last, self, __ATOMIC_RELAXED);
}

static int32_t wakers_number(const struct thread *const *entry)
{
	const struct thread *thread = __atomic_load_n(entry, __ATOMIC_RELAXED);

	return thread ? thread_number(thread) : 0;
}

struct waker_found wakers_find(uintptr_t word, int32_t waiter)
{
	struct waker *wakers = gmon.offcpu.wakers, *found = NULL;
	struct waker_found who = { 0, 0 };

	if (!wakers || word < WAKERS_INSIDE)
		return who;
	for (uintptr_t line = (word - WAKERS_INSIDE) / WAKERS_LINE; line <= word / WAKERS_LINE;
	     line++) {
		struct waker *set = wakers_set(wakers, line);

		for (uint32_t i = 0; i < WAKERS_WAYS; i++) {
			uintptr_t at = __atomic_load_n(&set[i].at, __ATOMIC_RELAXED);

			if (at > who.at && at <= word && word - at < WAKERS_INSIDE) {
				who.at = at;
				found = &set[i];
			}
		}
	}
	if (found)
		who.tid = wakers_number(&found->last);
	if (found && who.tid == waiter)
		who.tid = wakers_number(&found->before);
	if (who.tid == waiter) /* another thread has woken somebody meanwhile */
		who.tid = 0;
	return who;
}
