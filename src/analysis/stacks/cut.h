/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts recursion: leaves out the calls that close cycles in a call graph. */
#ifndef ANALYSIS_STACKS_CUT_H
#define ANALYSIS_STACKS_CUT_H

#include "base/bitset.h"
#include "model/cycles.h"
#include "model/graph.h"

struct cut {
	struct bitset arcs;     /* the arcs that are left out; the others form no cycle */
	const sym_id *finished; /* all symbols, callees before their callers, by the arcs that are
				   not left out */
};

/*
 * Walks through the calls depth first, a function's most frequent calls first, and leaves out the
 * calls to functions on the current path. The walk starts from functions that nobody calls, and in
 * a cycle without callers from the member that is called least. Arcs with zero calls, and arcs from
 * or to functions outside of `shown`, are left out, too. The result lives in mem. n log n in arcs,
 * linear in nodes, without recursion.
 */
struct cut cut_recursion(const struct graph *graph, const struct cycles *cycles,
			 struct bitset shown, struct arena *mem);

#endif
