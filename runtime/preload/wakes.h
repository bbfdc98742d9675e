/* SPDX-License-Identifier: MIT */
/*
 * Calls that wake other threads, taken over in the loaded objects' slots (imports.h), for
 * record/wakers.h. Only with GMON=clock=wall: else nothing is changed. In the shared library for
 * x86-64 only: elsewhere wakes_start is NULL.
 */
#ifndef PRELOAD_WAKES_H
#define PRELOAD_WAKES_H

#include <stdint.h>

/* If wakers are to be noted: has all objects call us. Before main(), and not async-signal-safe. */
void wakes_start(void) __attribute__((weak));

/* When a library is about to be initialised, by the call of __gmon_start__() that returns to
 * `caller`: does so in that library. Not async-signal-safe. */
void wakes_library_begins(uintptr_t caller);

/* Returns the function behind one of ours, as the program would have it without us, or any other
 * address as it is. */
uintptr_t wakes_behind(uintptr_t function);

#endif
