/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the trees that exports show from recorded stacks. */
#ifndef ANALYSIS_STACKS_TREES_H
#define ANALYSIS_STACKS_TREES_H

#include "analysis/stacks/call_tree.h"
#include "model/trees.h"

enum trees_parts {
	TREES_FUNCTIONS, /* only call_trees.functions */
	TREES_THREADS, /* that, the addresses, and for each thread a tree of functions and a tree of
			  addresses */
	TREES_SLICES,  /* that, and the trees of each thread by slices of the time, if they are
			  known */
	TREES_ADDRESSES, /* the addresses, and in place of a thread's trees one tree of
			    addresses of all threads */
};

/*
 * Makes trees of the chosen stacks, in mem; `per_tick` is the time of a tick in the unit of the
 * trees. A thread's tree has only the nodes of that thread's stacks, so all trees together take n
 * log n in nodes and samples.
 */
struct call_trees trees_make(const struct stacks_choice *choice, const struct selection *sel,
			     double per_tick, enum trees_parts parts, struct arena *mem);

#endif
