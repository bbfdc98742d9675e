/* SPDX-License-Identifier: MIT */
/*
 * The moments at which watched threads end (offcpu.h). The helper notices an end at its next look,
 * which may come late, and the kernel does not say when it was. So a thread that libgmon knows
 * leaves the moment here. Times are in ns. Async-signal-safe.
 */
#ifndef WAIT_THREAD_EXITS_H
#define WAIT_THREAD_EXITS_H

#include <stdbool.h>
#include <stdint.h>

enum { THREAD_EXITS_ROOM = 256 }; /* the most threads that are watched at once */

struct thread_exit {
	int32_t tid;              /* the thread that is expected here; 0: none. By the helper */
	int32_t left;             /* the thread that has left; it sets this last */
	_Alignas(8) uint64_t run; /* its CPU time */
	uint64_t at;              /* the moment, by CLOCK_MONOTONIC */
};

/* Makes room for THREAD_EXITS_ROOM of them. NULL: no memory. */
struct thread_exit *thread_exits_prepare(void);

/* In the helper: expects a thread to leave here. 0: none. */
void thread_exits_expect(struct thread_exit *exit, int32_t tid);

/* In a thread that ends: leaves the moment, if the thread is expected. */
void thread_exits_leave(int32_t tid);

/* Whether the thread that is expected has left. */
bool thread_exits_find(const struct thread_exit *exit);

#endif
