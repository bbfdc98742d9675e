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
 * Prefixes of direct calls and jumps, which linkers put there (67 E8), stay.
 *
 * Guards: a function is dropped if one of its bytes cannot be decoded, if its last instruction does
 * not end where the function does, if a branch leads between two of its instructions, also one by a
 * table of distances from the table's start, or if another instruction takes it for data: reads it
 * at an address that it names, or makes one that is not a function's start.
 *
 * For the start of a program, while it has one thread. Linear in the object's bytes.
 */
#ifndef CALLS_SITES_H
#define CALLS_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/code.h"

enum site_kind {
	SITE_DIRECT, /* the distance of a call or jump changes: its last four bytes */
	SITE_CALL,   /* FF 15 becomes a direct call */
	SITE_JUMP    /* FF 25 becomes a direct jump */
};

struct site {
	uintptr_t at;     /* the instruction */
	uintptr_t target; /* the function, or the entry of the PLT; for FF, what the slot holds */
	uintptr_t slot;   /* where the function's address is, or will be; 0: it is `target` */
	uint8_t length;
	uint8_t kind; /* enum site_kind */
	bool is_call; /* not a jump */
};

struct sites {
	struct site *site;
	size_t n, room;
	uint32_t dropped;   /* functions without counts since their instructions are not known */
	uint64_t ndirect;   /* calls of known functions that are not counted */
	uint64_t nindirect; /* calls through registers and memory */
	bool refused;       /* the object uses what counting needs: the base of %fs or %gs */
};

/*
 * Finds the sites of an object, and sets `dropped`, `called` and `partial` of its functions. False:
 * no memory. sites_free() frees them in either case.
 */
bool sites_find(struct sites *sites, struct code *code);
void sites_free(struct sites *sites);

#endif
