/* SPDX-License-Identifier: MIT */
/*
 * What the instructions of an object say of other places: where calls and jumps lead, whose address
 * is taken, and which functions are not what they were taken for.
 *
 * Guards: a function is dropped if one of its bytes cannot be decoded, if its last instruction does
 * not end where the function does, if a branch leads between two of its instructions, also one by a
 * table of distances from the table's start, or if another instruction takes it for data: reads it
 * at an address that it names, or makes one that is not a function's start.
 *
 * For the start of a program, while it has one thread. Linear in the object's bytes.
 */
#ifndef CALLS_SCAN_H
#define CALLS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/code.h"

enum site_kind {
	SITE_CALL,        /* the distance of a call changes: its last four bytes */
	SITE_JUMP,        /* the same for a jump */
	SITE_CALL_MEMORY, /* FF 15 becomes a direct call */
	SITE_JUMP_MEMORY  /* FF 25 becomes a direct jump */
};

enum {
	SITES_CALLEES = 1 << 30,            /* of an object: fewer than this */
	SITES_NOT_ENTRY = SITES_CALLEES - 1 /* scan_functions(): it leads to no function */
};

struct site {
	uint32_t next;        /* the end of the instruction, from code->low */
	uint32_t callee : 30; /* what it leads to: its number */
	uint32_t kind : 2;    /* enum site_kind */
};

struct scan_found {
	struct site *site; /* what may be sites, by address; `callee`: of the functions */
	size_t n, room;
	uint64_t nindirect; /* calls through registers and memory */
	bool sets_base;     /* the object sets the base of %fs or %gs */
};

/*
 * Looks through all functions of an object, and sets `dropped`, `called` and `partial`. False: no
 * memory, or code of 4 GB; then there is nothing to free. Else the caller unmaps `site`.
 */
bool scan_functions(struct scan_found *found, struct code *code);

/* The address to which the four bytes before `next` lead, as a distance from there. */
uintptr_t scan_distance(uintptr_t next);

#endif
