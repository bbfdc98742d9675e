/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes inclusive times of functions, and times of calls, from a tree of call stacks. */
#ifndef ANALYSIS_STACKS_MEASURE_H
#define ANALYSIS_STACKS_MEASURE_H

#include "model/costs.h"
#include "model/graph.h"
#include "model/stacks.h"

/*
 * Ticks of the stacks in which `from` calls `to`. `up` and `down` mean the same as in graph_costs;
 * in each, `self` has the ticks of the stacks that end in `to`.
 */
struct measured_pair {
	sym_id from; /* SYM_NONE: the stack begins with `to`; then `down` is 0 */
	sym_id to;
	struct measured_ticks {
		uint64_t self, all;
	} up, down;
};

/* Arrays have an entry for each symbol. */
struct measured {
	const uint64_t *self;      /* ticks of stacks that end in the symbol */
	const uint64_t *inclusive; /* ticks of stacks that have the symbol anywhere; each stack
				      counts once */
	const struct measured_pair *pair; /* sorted by `from`, then `to`; all different */
	uint32_t npairs;
	uint64_t total; /* ticks of all stacks: the sum of all `self`, and of `up` over all pairs
			   without a caller */
};

/*
 * The times of nsyms symbols in a tree whose nodes are symbols. The result lives in mem. Expected
 * linear in nodes and symbols, whatever the depth of recursion.
 */
struct measured measure_stacks(const struct stacks *stacks, uint32_t nsyms, struct arena *mem);

/*
 * Returns the same times in the form of a graph's costs, in mem, without `shown`. The graph must
 * have an arc for each pair. n log n in arcs, linear in symbols.
 */
struct graph_costs measure_costs(const struct measured *measured, const struct graph *graph,
				 struct arena *mem);

/* Returns n ticks as numbers for struct costs, in mem: exact up to 2^53. Linear. */
const double *measure_ticks(const uint64_t *ticks, uint32_t n, struct arena *mem);

#endif
