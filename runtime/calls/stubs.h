/* SPDX-License-Identifier: MIT */
/*
 * Stubs: what a counted call or jump leads to. Each site has one, which says what is to be counted,
 * and jumps to that of its callee, which counts and jumps on. What lies on the stack, and every
 * register, is as without them; only flags change, which no function gets or returns.
 *
 *     a site's    0  push  %rax
 *                 1  mov   $8 * counter, %eax
 *                 6  jmp   that of its callee
 *
 *     a callee's  0  add   %fs:counts, %rax    the counts of the thread: calls.h
 *                 9  subq  $1, (%rax)          counts down, since that borrows from 0 alone
 *                13  jb    22
 *                15  pop   %rax
 *                16  jmp   function            or jmp *slot(%rip), which is a byte longer
 *                22  call  calls_first         numbers the first call of the site in this thread
 *                27  jmp   15
 *
 * They are one after another: those of sites, then those of callees, then a jump to calls_first(),
 * which may be far away; then those of entries (entries.h), if there are any, and the address of
 * calls_enter(). Callees that are entries are entered behind their hook. Code is never writable and
 * executable at once.
 */
#ifndef CALLS_STUBS_H
#define CALLS_STUBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/code.h"
#include "calls/entries.h"
#include "calls/sites.h"

enum {
	STUBS_SITE_BYTES = 11,
	STUBS_CALLEE_BYTES = 32,
	STUBS_PUSHED = 1,  /* in a site's, %rax is on the stack from here on, */
	STUBS_POPPED = 16, /* and in a callee's but from here */
	STUBS_FIRST = 22   /* to here */
};

/* For calls_first(), which is assembly (stubs.c). */
struct calls_firsts {
	uintptr_t bytes; /* of a thread's counts; the numbers of first calls are behind them */
	uintptr_t *last; /* the last number that was given */
	intptr_t counts; /* where their address is, from the thread's control block */
};

extern struct calls_firsts calls_firsts;

/* The stubs of an object: the i-th site's belongs to its i-th site, and so do callees'. */
struct stubs {
	uintptr_t low, high; /* [low, high); both 0: none */
	uintptr_t callees;   /* from here on those of callees, */
	uintptr_t first;     /* and here the jump to calls_first() */
	uintptr_t entries;   /* from here on those of entries, */
	uintptr_t enter;     /* and here the address of calls_enter() */
};

/* A place in stubs. */
struct stubs_place {
	bool is_site, is_callee; /* neither: it is no stub */
	size_t number;           /* of the site, or of the callee; may be one too much */
	bool pushed;             /* %rax is on the stack */
};

/* What is at an address in [low, high). Constant time. */
struct stubs_place stubs_find(const struct stubs *stubs, uintptr_t address);

/*
 * Makes stubs, in the memory that there is from an earlier call with as many sites and callees, and
 * has the sites and entries lead to them. `counts`: the distance of the counts from the thread's
 * control block; `first`: the number of the first site's counter. NULL, or a literal that says why
 * nothing was changed. Takes the sites' spare memory. To be called while nobody runs the object's
 * code, with signals blocked.
 */
const char *stubs_make(struct stubs *stubs, struct code *code, struct sites *sites,
		       const struct entries *entries, intptr_t counts, size_t first);

#endif
