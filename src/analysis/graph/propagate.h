/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes calls of functions and cycles, and the time that flows from callees to callers. */
#ifndef ANALYSIS_GRAPH_PROPAGATE_H
#define ANALYSIS_GRAPH_PROPAGATE_H

#include "model/costs.h"
#include "model/cycles.h"
#include "model/graph.h"
#include "model/selection.h"

/* Returns the calls of each node, in mem. Linear. */
struct calls propagate_count_calls(const struct graph *graph, const struct cycles *cycles,
				   struct arena *mem);

/*
 * Sets costs->children and costs->graph, in mem, from costs->self and costs->calls: each callee's
 * time is divided among its callers by their shares of its calls; a cycle counts as one. Linear in
 * nodes and arcs.
 */
void propagate(struct costs *costs, const struct graph *graph, const struct cycles *cycles,
	       const struct selection *sel, struct arena *mem);

/*
 * Returns only graph.shown, in mem: the nodes that have an entry in the call graph, whatever their
 * times. Linear in nodes and arcs.
 */
struct bitset propagate_shown(const struct graph *graph, const struct cycles *cycles,
			      const struct calls *calls, const struct selection *sel,
			      struct arena *mem);

#endif
