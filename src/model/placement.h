/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions in the order in which a linker is to place them, or the calls by which it may order
 * them itself. */
#ifndef MODEL_PLACEMENT_H
#define MODEL_PLACEMENT_H

#include "base/array.h"
#include "model/symtab.h"

enum placement_rule {
	PLACEMENT_ANY,     /* by first calls if the data tell them, else by calls */
	PLACEMENT_STARTUP, /* by first calls */
	PLACEMENT_CALLS,   /* callers and callees near each other */
	PLACEMENT_TIME,    /* by samples for each byte, the most first */
};

struct placement_row {
	sym_id sym;
	const char *name;   /* as the linker is to know it */
	uint32_t nalike;    /* how many functions of the program have that name; at least 1 */
	bool is_repeated;   /* a row before has the name, too */
	bool has_cold_part; /* its seldom used code is a function of its own, NAME.cold */
};

/* Calls between two different functions, whose names no others have. */
struct placement_arc {
	const char *from, *to;
	uint64_t ncalls; /* more than none */
};

struct placement {
	enum placement_rule rule; /* that it was made by; not PLACEMENT_ANY */
	ARRAY(struct placement_row) rows;
	size_t nused;   /* the first rows: called, sampled, or calling; the others are unused */
	uint64_t bytes; /* of the functions in the rows */
	ARRAY(struct placement_arc) arcs; /* as they first appeared in the data; if asked for */
	uint64_t nleft_out;               /* arcs of which an end cannot be named */
};

#endif
