/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From recorded stacks to the trees that exports show. */
#ifndef ANALYSIS_STACKS_TREES_H
#define ANALYSIS_STACKS_TREES_H

#include "analysis/stacks/call_tree.h"
#include "model/trees.h"

enum trees_parts {
	TREES_FUNCTIONS, /* call_trees.functions */
	TREES_THREADS,   /* these, the addresses, and both trees of each thread */
	TREES_ADDRESSES, /* the addresses, and their tree of all threads, in the place of a thread
			  */
};

/*
 * Trees of the stacks of `choice`, in mem; a tick lasts so many units of time. Trees of one thread
 * have the nodes of that thread's stacks alone, so all together are n log n in nodes and samples.
 */
struct call_trees trees_make(const struct stacks_choice *choice, const struct selection *sel,
			     double per_tick, enum trees_parts parts, struct arena *mem);

#endif
