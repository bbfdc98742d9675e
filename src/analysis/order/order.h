/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An order of functions or object files in which callers and callees are near each other. Arcs are
 * taken one by one, the busiest first: a function that is not in a chain yet is added to the nearer
 * end of the chain of the other one. Chains are never joined.
 *
 * n log n in arcs and functions: each chain knows its ends, and each function its position in its
 * chain, so the nearer end is known at once.
 */
#ifndef ANALYSIS_ORDER_ORDER_H
#define ANALYSIS_ORDER_ORDER_H

#include "model/costs.h"
#include "model/graph.h"
#include "model/object_map.h"
#include "model/order.h"

enum order_kind { ORDER_NONE, ORDER_FUNCTIONS, ORDER_OBJECTS };

/*
 * Orders all functions, each once, in mem: first those with many busy callers, then the chains,
 * then other functions that were called, and last those that were not.
 */
struct order order_functions(const struct symtab *symtab, const struct graph *graph,
			     const struct calls *calls, struct arena *mem);

/*
 * Orders all object files of the map, each once, in mem: first those that are symbols (SYM_OBJECT)
 * by the arcs between them, which are taken in the order of the data, then the others by name.
 */
struct order order_objects(const struct symtab *symtab, const struct graph *graph,
			   const struct object_map *map, struct arena *mem);

#endif
