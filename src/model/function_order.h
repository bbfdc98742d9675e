/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions in the order in which a linker is to place them, or the calls by which it may order
 * them itself. */
#ifndef MODEL_FUNCTION_ORDER_H
#define MODEL_FUNCTION_ORDER_H

#include "base/array.h"
#include "model/symtab.h"

enum function_order_rule {
	FUNCTION_ORDER_ANY,     /* by first calls if the data tell them, else by calls */
	FUNCTION_ORDER_STARTUP, /* by first calls */
	FUNCTION_ORDER_CALLS,   /* callers and callees near each other */
	FUNCTION_ORDER_TIME,    /* by samples for each byte, the most first */
};

struct function_order_row {
	sym_id sym;
	const char *name;   /* as the linker is to know it */
	uint32_t nalike;    /* how many functions of the program have that name; at least 1 */
	bool is_repeated;   /* a row before has the name, too */
	bool has_cold_part; /* its seldom used code is a function of its own, NAME.cold */
};

/* Calls between two different functions, whose names no others have. */
struct function_order_arc {
	const char *from, *to;
	uint64_t ncalls; /* more than none */
};

struct function_order {
	enum function_order_rule rule; /* that it was made by; not FUNCTION_ORDER_ANY */
	ARRAY(struct function_order_row) rows;
	size_t nused;   /* the first rows: called, sampled, or calling; the others are unused */
	uint64_t bytes; /* of the functions in the rows */
	ARRAY(struct function_order_arc)
	arcs;               /* as they first appeared in the data; if asked for */
	uint64_t nleft_out; /* arcs of which an end cannot be named */
};

#endif
