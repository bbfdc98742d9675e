/* SPDX-License-Identifier: MIT */
/*
 * Stubs: what a counted call or jump leads to. Each counts and jumps on. What lies on the stack,
 * and every register, is as without it; only flags change, which no function gets or returns.
 *
 *     0  push  %rax
 *     1  mov   %fs:counts, %rax        the counts of the thread: calls.h
 *    10  incq  8 * counter(%rax)
 *    17  pop   %rax
 *    18  jmp   target                  or jmp *slot(%rip)
 *
 * Code is never writable and executable at once.
 */
#ifndef CALLS_STUBS_H
#define CALLS_STUBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/code.h"
#include "calls/sites.h"

enum { STUBS_BYTES = 24, STUBS_PUSHED = 1, STUBS_POPPED = 18 };

/* The stubs of an object: the i-th belongs to the i-th site. */
struct stubs {
	uintptr_t low, high; /* [low, high); both 0: none */
};

/*
 * Makes stubs, and has the sites lead to them. `counts`: the distance of the counts from the
 * thread's control block; `first`: the number of the first site's counter. NULL, or a literal that
 * says why nothing was changed. To be called while there is one thread, with signals blocked.
 */
const char *stubs_make(struct stubs *stubs, const struct code *code, const struct sites *sites,
		       intptr_t counts, size_t first);

#endif
