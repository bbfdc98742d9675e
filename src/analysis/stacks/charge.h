/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The times of an analysis from call stacks, in place of those that calls are reckoned from. */
#ifndef ANALYSIS_CHARGE_H
#define ANALYSIS_CHARGE_H

#include "analysis/stacks/merge.h"
#include "model/analysis.h"
#include "model/placed.h"

/* Which stacks. */
struct charge_choice {
	const struct placed_stacks *placed;
	const struct bitset *threads; /* by their places in the recording; NULL: all */
	const char *thread_names;     /* as call_stacks.threads is to be */
	struct clock clock;           /* what ticks are of */
	bool chosen_time;  /* selection of time is the user's: it concerns the call graph alone */
	bool chosen_roots; /* the same of the call tree */
	bool keeps_tree;   /* it is wanted; else there is none */
};

/* Which stacks reports and exports show, the call graph aside. Linear in symbols. */
struct merge_choice charge_stacks(const struct charge_choice *choice, const struct selection *sel);

/* What was measured. */
struct charge {
	const struct call_stacks *stacks; /* for reports */
	struct measured graph;            /* what counts in the call graph */
};

/* Stacks that end in the profiler's own functions, or in what these call, do not count. Linear in
 * nodes and samples. */
struct charge charge_measure(const struct charge_choice *choice, const struct selection *sel,
			     struct arena *mem);

/*
 * The *n arcs, and behind them, without calls, one for each pair of functions of which the one was
 * on a stack above the other; in mem. Adds to *n. Linear.
 */
struct arc *charge_add_arcs(const struct charge *charge, const struct selection *sel,
			    const struct arc *arcs, size_t *n, struct arena *mem);

/* Ticks of stacks by the functions they end in. Linear in symbols. */
struct ticks charge_ticks(const struct charge *charge, const struct selection *sel, uint32_t nsyms,
			  struct arena *mem);

/*
 * Times for the graph that has the arcs of charge_add_arcs(), with `shown` as `reckoned` has it for
 * a graph with cycles. n log n in arcs.
 */
struct weights charge_weights(const struct charge *charge, const struct graph *graph,
			      const struct weights *reckoned, struct arena *mem);

#endif
