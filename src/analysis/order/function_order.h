/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of functions for a linker, in the order of one of several rules. */
#ifndef ANALYSIS_ORDER_FUNCTION_ORDER_H
#define ANALYSIS_ORDER_FUNCTION_ORDER_H

#include "model/analysis.h"
#include "model/function_order.h"

struct function_order_options {
	enum function_order_rule rule;
	bool all;            /* those that were not used come last, by address */
	bool strip_suffixes; /* names lack what link-time optimization adds: .lto_priv.N, .llvm.N */
	bool arcs;           /* calls are wanted, and no rows */
	uint64_t least_calls; /* of a function, or of an arc, to be there */
	uint64_t most_bytes;  /* of all functions in the rows; 0: any number */
};

/*
 * The list, in mem. It has only functions of the program with code: no labels, nothing of the C
 * library's start files, of the profiler or of other objects. main() counts as used. `in_order`
 * says whether the arcs of the profile are in the order of first calls, which
 * FUNCTION_ORDER_STARTUP needs. n log n in functions and arcs.
 */
struct function_order function_order_make(const struct analysis *a, bool in_order,
					  const struct function_order_options *opt,
					  struct arena *mem);

#endif
