/* SPDX-License-Identifier: MIT */
/*
 * The call sites of an object that can be counted where they are: instructions that lead to the
 * start of another function and hold a 32-bit distance, which stubs.h changes.
 *
 *     call f            E8 rel32            f: a function of the object, or an entry of its PLT
 *     jmp f, jcc f      E9, 0F 8x rel32     the same, if f is another function: a tail call
 *     call *slot(%rip)  FF 15, FF 25        the slot is constant after the start
 *     jmp *slot(%rip)
 *
 * All other calls are not counted: through registers and other memory, and whatever lies in code
 * whose instructions are not known for sure. Functions that these may call are marked as partly
 * counted, with the reason: a count without a mark is exact.
 *
 * Prefixes of direct calls and jumps, which linkers put there (67 E8), stay. Sites that lead to the
 * same function have one callee; those by an entry of the PLT have that entry's slot.
 *
 * scan.h has the guards.
 *
 * For the start of a program, while it has one thread. Linear in the object's bytes.
 */
#ifndef CALLS_SITES_H
#define CALLS_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/code.h"
#include "calls/scan.h"

/* What sites lead to. */
struct site_callee {
	uintptr_t at; /* a function of the object, or where a function's address is or will be */
	bool is_slot; /* the latter */
};

struct sites {
	struct site *site; /* by address */
	size_t n, room;
	struct site_callee *callee;
	size_t ncallees, callee_room;
	uint32_t dropped;   /* functions without counts since their instructions are not known */
	uint64_t ndirect;   /* calls of known functions that are not counted */
	uint64_t nindirect; /* calls through registers and memory */
	bool refused;       /* the object uses what counting needs: the base of %fs or %gs */
	struct landings landings; /* if they are wanted */
	void *spare;              /* memory for stubs (scan.h); NULL: none */
	size_t spare_bytes;
};

/*
 * Finds the sites of an object, and sets `dropped` and `partial` of its functions, and which are
 * called. `wants_landings`: also where else its code is entered, as far as its code says. False: no
 * memory, or code of 4 GB. sites_free() frees them in either case.
 */
bool sites_find(struct sites *sites, struct code *code, bool wants_landings);
void sites_free(struct sites *sites);

#endif
