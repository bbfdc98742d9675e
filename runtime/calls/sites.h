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

enum { SITES_CALLEES = 1 << 30 /* of an object: fewer than this */ };

struct site {
	uint32_t next;        /* the end of the instruction, from code->low */
	uint32_t callee : 30; /* what it leads to: its number */
	uint32_t kind : 2;    /* enum site_kind */
};

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
};

/*
 * Finds the sites of an object, and sets `dropped`, `called`, `partial` and `callee` of its
 * functions. False: no memory, or code of 4 GB. sites_free() frees them in either case.
 */
bool sites_find(struct sites *sites, struct code *code);
void sites_free(struct sites *sites);

#endif
