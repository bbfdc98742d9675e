/* SPDX-License-Identifier: MIT */
/*
 * Stubs: what a counted call or jump leads to. Each counts and jumps on. What lies on the stack,
 * and every register, is as without it; only flags change, which no function gets or returns.
 *
 *     0  push  %rax
 *     1  mov   %fs:counts, %rax        the counts of the thread: calls.h
 *    10  subq  $1, 8 * counter(%rax)   counts down, since that borrows from 0 alone
 *    18  jae   25
 *    20  call  calls_first             numbers the first call of the site in this thread
 *    25  pop   %rax
 *    26  jmp   target                  or jmp *slot(%rip)
 *
 * calls_first() may be far away, so the call leads there by a jump after the last stub. Code is
 * never writable and executable at once.
 */
#ifndef CALLS_STUBS_H
#define CALLS_STUBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/code.h"
#include "calls/sites.h"

enum { STUBS_BYTES = 32, STUBS_PUSHED = 1, STUBS_POPPED = 26 };

/* For calls_first(), which is assembly (stubs.c). */
struct calls_firsts {
	uintptr_t distance; /* of the numbers of first calls from the counts */
	uintptr_t *last;    /* the last number that was given */
};

extern struct calls_firsts calls_firsts;

/* The stubs of an object: the i-th belongs to the i-th site. */
struct stubs {
	uintptr_t low, high; /* [low, high); both 0: none */
};

/*
 * Makes stubs, in the memory that there is from an earlier call with as many sites, and has the
 * sites lead to them. `counts`: the distance of the counts from the thread's control block;
 * `first`: the number of the first site's counter. NULL, or a literal that says why nothing was
 * changed. To be called while nobody runs the object's code, with signals blocked.
 */
const char *stubs_make(struct stubs *stubs, const struct code *code, const struct sites *sites,
		       intptr_t counts, size_t first);

#endif
