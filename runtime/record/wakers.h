/* SPDX-License-Identifier: MIT */
/*
 * Who wakes whom: for the addresses of condition variables, semaphores and barriers, which thread
 * has signalled or posted them last, or has come there last. The shared library takes over those
 * calls (preload/wakes.c).
 *
 *   address      last  before
 *   0x7f0012a0   4712  4711      the one that was last, and the last one that was another thread
 *
 * The table has a fixed size; an address that is new there may replace another one. All members are
 * stored and read one by one, so a thread may, at worst, be named for another one's call, or one
 * that has adopted its entry (count/thread.h).
 */
#ifndef RECORD_WAKERS_H
#define RECORD_WAKERS_H

#include <stdint.h>

enum {
	WAKERS_INSIDE = 48 /* bytes of a condition variable, whose futexes are not at its beginning
			    */
};

/* Makes the table, if there is memory for it. To be called once, before the helper starts. */
void wakers_prepare(void);

/* Notes that the calling thread wakes those who wait at an address. There must be a table,
 * gmon.offcpu.wakers. A few nanoseconds. Async-signal-safe. */
void wakers_note(const void *address);

/* Who wakes those who wait at an address. */
struct waker_found {
	uintptr_t at; /* the address that the call had */
	int32_t tid;  /* the number of the thread; 0: it is not known */
};

/*
 * Finds the thread, other than `waiter`, that has last woken those who wait for a futex: at its
 * address, or in a condition variable that begins before it.
 */
struct waker_found wakers_find(uintptr_t word, int32_t waiter);

#endif
