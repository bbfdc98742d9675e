/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inclusive times of functions, and times of calls, from a tree of call stacks. */
#ifndef ANALYSIS_STACKS_MEASURE_H
#define ANALYSIS_STACKS_MEASURE_H

#include "model/costs.h"
#include "model/graph.h"
#include "model/stacks.h"

/*
 * Ticks of stacks in which one function calls another: `up` and `down` as graph_costs has them. Of
 * each, `self` is that of stacks which end in the callee.
 */
struct measured_pair {
	sym_id from; /* SYM_NONE: nobody, the stack begins with `to`; then `down` is 0 */
	sym_id to;
	struct measured_ticks {
		uint64_t self, all;
	} up, down;
};

/* Arrays have an entry for each symbol, by its id. */
struct measured {
	const uint64_t *self;             /* ticks of stacks that end in it, */
	const uint64_t *inclusive;        /* and that have it anywhere: each stack once */
	const struct measured_pair *pair; /* by from, then to; no two alike */
	uint32_t npairs;
	uint64_t total; /* of all stacks: all `self` add up to it, and all `up` of nobody */
};

/*
 * The times of nsyms symbols in a tree whose nodes are symbols. The result lives in mem. Expected
 * linear in nodes and symbols, whatever the depth of recursion.
 */
struct measured measure_stacks(const struct stacks *stacks, uint32_t nsyms, struct arena *mem);

/* The same for a graph that has the pairs among its arcs, without `shown`; in mem. n log n in arcs,
 * linear in symbols. */
struct graph_costs measure_costs(const struct measured *measured, const struct graph *graph,
				 struct arena *mem);

/* n ticks as the costs have them, in mem: exact up to 2^53. And inclusive less self ticks. */
const double *measure_ticks(const uint64_t *ticks, uint32_t n, struct arena *mem);
const double *measure_children(const struct measured *measured, uint32_t nsyms, struct arena *mem);

#endif
