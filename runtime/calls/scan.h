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
#include "calls/landings.h"
#include "calls/site.h"

enum { SCAN_LANES = 4 };

/* What may be sites of a part of the code, by address. */
struct scan_part {
	struct site *site; /* `callee`: the number of a function, or of a slot (slots.h) */
	size_t n;
};

struct scan_found {
	struct scan_part part[SCAN_LANES]; /* by address; all in: */
	struct site *site;
	size_t room;
	int32_t first_slot;       /* of those to which sites lead, */
	size_t nslots;            /* and how many there are from there on */
	uint64_t nindirect;       /* calls through registers and memory */
	bool sets_base;           /* the object sets the base of %fs or %gs */
	struct landings landings; /* if they are wanted: where branches and tables lead */
	void *spare;              /* memory that is not needed any more, of whole pages, */
	size_t spare_bytes;       /* for whatever needs pages that are there */
};

/*
 * Looks through all functions of an object, and sets `dropped` and `partial`, and which are called;
 * also by whatever else may be instructions. False: no memory, or code of 4 GB; then there is
 * nothing to free. Else the caller unmaps `site` and `spare`, and frees the landings.
 */
bool scan_functions(struct scan_found *found, struct code *code, bool wants_landings);

#endif
