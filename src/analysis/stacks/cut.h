/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaving out the calls that make a call graph recursive. */
#ifndef ANALYSIS_STACKS_CUT_H
#define ANALYSIS_STACKS_CUT_H

#include "base/bitset.h"
#include "model/cycles.h"
#include "model/graph.h"

struct cut {
	struct bitset arcs;     /* those left out; the others form no cycle */
	const sym_id *finished; /* all symbols, callees before callers by the arcs that are left */
};

/*
 * Walks through the calls depth first, a function's most frequent calls first, and leaves out those
 * that lead back to a function the walk is in. It starts from functions that nobody calls, and in a
 * cycle without callers from the member that is called least. Calls that were never made, or with
 * an end that is not in `shown`, are left out, too. The result lives in mem. n log n in arcs,
 * linear in nodes, without recursion.
 */
struct cut cut_recursion(const struct graph *graph, const struct cycles *cycles,
			 struct bitset shown, struct arena *mem);

#endif
