/* SPDX-License-Identifier: MIT */
/*
 * The ends of threads that the helper watches (watch.h). It learns of one at its next look, which
 * comes late where others have its processor, and the kernel does not tell when it was. So a thread
 * that libgmon knows leaves it here. Times are ns. Async-signal-safe.
 */
#ifndef ENDS_H
#define ENDS_H

#include <stdbool.h>
#include <stdint.h>

enum { ENDS_ROOM = 256 }; /* threads that are watched at once */

/* What one thread leaves. */
struct end {
	int32_t tid;              /* whose end it is to be; 0: nobody's. The helper's */
	int32_t left;             /* whose it is */
	_Alignas(8) uint64_t run; /* its CPU time, */
	uint64_t at;              /* by CLOCK_MONOTONIC */
};

/* Makes room for ENDS_ROOM of them. NULL: no memory. */
struct end *ends_prepare(void);

/* The helper's: whose end it is to be; 0: nobody's. */
void ends_expect(struct end *end, int32_t tid);

/* In a thread that ends. Does nothing unless it is expected. */
void ends_leave(int32_t tid);

/* Of a thread that has ended, and was expected: whether it has left when. */
bool ends_find(const struct end *end);

#endif
