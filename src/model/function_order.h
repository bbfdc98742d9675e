/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions in the order in which a linker should place them, or calls from which it may make an
 * order. */
#ifndef MODEL_FUNCTION_ORDER_H
#define MODEL_FUNCTION_ORDER_H

#include "base/array.h"
#include "model/symtab.h"

enum function_order_rule {
	FUNCTION_ORDER_ANY,     /* by first calls if the data have their order, else by calls */
	FUNCTION_ORDER_STARTUP, /* by first calls */
	FUNCTION_ORDER_CALLS,   /* callers and callees near each other */
	FUNCTION_ORDER_TIME,    /* by samples per byte, the most first */
};

struct function_order_row {
	sym_id sym;
	const char *name;   /* the name for the linker */
	uint32_t nalike;    /* number of the program's functions with that name; at least 1 */
	bool is_repeated;   /* an earlier row has the same name */
	bool has_cold_part; /* its seldom executed code is in another function, NAME.cold */
};

/* Calls between two different functions with unique names. */
struct function_order_arc {
	const char *from, *to;
	uint64_t ncalls; /* at least 1 */
};

struct function_order {
	enum function_order_rule rule; /* the rule that was used; not FUNCTION_ORDER_ANY */
	ARRAY(struct function_order_row) rows;
	size_t nused; /* number of functions that were called, sampled, or called others; they come
			 first */
	uint64_t bytes; /* bytes of all functions in the rows */
	ARRAY(struct function_order_arc)
	arcs;               /* in the order of the data; empty unless asked for */
	uint64_t nleft_out; /* number of arcs left out because a name is not unique */
};

#endif
