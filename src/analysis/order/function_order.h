/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the list of functions for a linker, in the order of one of several rules. */
#ifndef ANALYSIS_ORDER_FUNCTION_ORDER_H
#define ANALYSIS_ORDER_FUNCTION_ORDER_H

#include "model/analysis.h"
#include "model/function_order.h"

struct function_order_options {
	enum function_order_rule rule;
	bool all; /* functions that were not used are listed, too, at the end, by address */
	bool strip_suffixes; /* drop the suffixes of link-time optimization from names: .lto_priv.N,
				.llvm.N */
	bool arcs;           /* list calls, and no functions */
	uint64_t least_calls; /* the fewest calls of a function or arc that is listed */
	uint64_t most_bytes;  /* the most bytes of all listed functions together; 0: any number */
};

/*
 * Returns the list, in mem. It has only functions of the program that have code: neither labels nor
 * functions of the C library's start files, of the profiler or of other objects. main() counts as
 * used. `in_order` says whether the arcs of the profile are in the order of first calls, which
 * FUNCTION_ORDER_STARTUP needs. n log n in functions and arcs.
 */
struct function_order function_order_make(const struct analysis *a, bool in_order,
					  const struct function_order_options *opt,
					  struct arena *mem);

#endif
