/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The times of an analysis from call stacks, in place of those that calls are reckoned from. */
#ifndef ANALYSIS_STACKS_STACK_TIMES_H
#define ANALYSIS_STACKS_STACK_TIMES_H

#include "analysis/stacks/call_tree.h"
#include "model/analysis.h"
#include "model/symbolized.h"

/* Which stacks. */
struct stack_times_choice {
	const struct symbolized_stacks *symbolized;
	const struct bitset *threads; /* by their places in the recording; NULL: all */
	const char *thread_names;     /* as call_stacks.threads is to be */
	struct clock clock;           /* what ticks are of */
	bool chosen_time;  /* selection of time is the user's: it concerns the call graph alone */
	bool chosen_roots; /* the same of the call tree */
	bool keeps_tree;   /* it is wanted; else there is none */
};

/* Which stacks reports and exports show, the call graph aside. Linear in symbols. */
struct call_tree_choice stack_times_stacks(const struct stack_times_choice *choice,
					   const struct selection *sel);

/* What was measured. */
struct stack_times {
	const struct call_stacks *stacks; /* for reports */
	struct measured graph;            /* what counts in the call graph */
};

/* Stacks that end in the profiler's own functions, or in what these call, do not count. Linear in
 * nodes and samples. */
struct stack_times stack_times_measure(const struct stack_times_choice *choice,
				       const struct selection *sel, struct arena *mem);

/*
 * The *n arcs, and behind them, without calls, one for each pair of functions of which the one was
 * on a stack above the other; in mem. Adds to *n. Linear.
 */
struct arc *stack_times_add_arcs(const struct stack_times *charge, const struct selection *sel,
				 const struct arc *arcs, size_t *n, struct arena *mem);

/* Ticks of stacks by the functions they end in. Linear in symbols. */
struct ticks stack_times_ticks(const struct stack_times *charge, const struct selection *sel,
			       uint32_t nsyms, struct arena *mem);

/*
 * Times for the graph that has the arcs of stack_times_add_arcs(), with `shown` as `reckoned` has
 * it for a graph with cycles. n log n in arcs.
 */
struct weights stack_times_weights(const struct stack_times *charge, const struct graph *graph,
				   const struct weights *reckoned, struct arena *mem);

#endif
