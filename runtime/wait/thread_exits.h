/* SPDX-License-Identifier: MIT */
/*
 * The ends of threads that the helper watches (offcpu.h). It learns of one at its next look, which
 * comes late where others have its processor, and the kernel does not tell when it was. So a thread
 * that libgmon knows leaves it here. Times are ns. Async-signal-safe.
 */
#ifndef WAIT_THREAD_EXITS_H
#define WAIT_THREAD_EXITS_H

#include <stdbool.h>
#include <stdint.h>

enum { THREAD_EXITS_ROOM = 256 }; /* threads that are watched at once */

/* What one thread leaves. */
struct thread_exit {
	int32_t tid;              /* whose end it is to be; 0: nobody's. The helper's */
	int32_t left;             /* whose it is */
	_Alignas(8) uint64_t run; /* its CPU time, */
	uint64_t at;              /* by CLOCK_MONOTONIC */
};

/* Makes room for THREAD_EXITS_ROOM of them. NULL: no memory. */
struct thread_exit *thread_exits_prepare(void);

/* The helper's: whose end it is to be; 0: nobody's. */
void thread_exits_expect(struct thread_exit *end, int32_t tid);

/* In a thread that ends. Does nothing unless it is expected. */
void thread_exits_leave(int32_t tid);

/* Of a thread that has ended, and was expected: whether it has left when. */
bool thread_exits_find(const struct thread_exit *end);

#endif
