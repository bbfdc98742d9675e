/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a call graph to an order of functions or object files in which callers and callees are near
 * each other: along the busiest arcs, functions are strung to chains, each new one at the nearer
 * end of its partner's chain.
 *
 * n log n in arcs and functions: a chain knows its ends, and a function its place in the chain, so
 * that the nearer end is found at once. Chains are never joined to each other.
 */
#ifndef ANALYSIS_ORDER_ORDER_H
#define ANALYSIS_ORDER_ORDER_H

#include "model/costs.h"
#include "model/graph.h"
#include "model/object_map.h"
#include "model/order.h"

enum order_kind { ORDER_NONE, ORDER_FUNCTIONS, ORDER_OBJECTS };

/*
 * All functions, each once: first those that many busy callers share, then chains, then the rest,
 * those that were never called last. The result lives in mem.
 */
struct order order_functions(const struct symtab *symtab, const struct graph *graph,
			     const struct calls *calls, struct arena *mem);

/*
 * All object files of the map, each once: those that stand for symbols (SYM_OBJECT) by the arcs
 * between them in the order of the data, the others by name. The result lives in mem.
 */
struct order order_objects(const struct symtab *symtab, const struct graph *graph,
			   const struct object_map *map, struct arena *mem);

#endif
