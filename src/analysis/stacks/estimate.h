/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates call paths from a call graph. */
#ifndef ANALYSIS_STACKS_ESTIMATE_H
#define ANALYSIS_STACKS_ESTIMATE_H

#include "base/bitset.h"
#include "model/cycles.h"
#include "model/graph.h"
#include "model/stacks.h"

/* What is estimated: times and samples of symbols, and the limits. */
struct stacks_input {
	const uint64_t *self, *samples; /* self time, and the samples from which it was computed */
	struct bitset shown;            /* symbols with time, and others that may be on paths */
};

struct stacks_limits {
	uint32_t depth; /* the most functions on a path, at least 1 */
	uint64_t paths; /* the most nodes, not counting rests, at least 1 */
};

/*
 * Default limits, which keep all of a call graph that is a tree, and enough of a graph with few
 * functions but very many paths.
 */
enum { STACKS_DEPTH = 128, STACKS_PATHS = 20000, STACKS_PATHS_EACH = 2 };

/*
 * A profile of calls between pairs of functions does not have the stacks. Like gprof's call graph,
 * this assumes that every call of a function takes the same time, whoever makes it, and so divides
 * each function's self time, and that of what it calls, among its callers by their numbers of
 * calls, up to those that nobody calls:
 *
 * - Recursion is cut, as cut.h says. The time stays; it is divided among the calls that are left.
 * - The paths expected to have most time come first, until there are limits->paths of them. What
 *   is below paths that are as long as the limit, or that were not followed for their number,
 *   becomes a STACKS_REST at their ends.
 * - The times are whole numbers that add up exactly to the input: all of them, and those of each
 *   function but for what is in the rests.
 *
 * The result lives in mem. n log n in nodes and arcs of the graph, and in paths made.
 */
struct stacks estimate_stacks(const struct graph *graph, const struct cycles *cycles,
			      const struct stacks_input *input, const struct stacks_limits *limits,
			      struct arena *mem);

#endif
