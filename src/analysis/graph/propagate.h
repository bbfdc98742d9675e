/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of functions and cycles, and the time that flows from callees to callers. */
#ifndef ANALYSIS_GRAPH_PROPAGATE_H
#define ANALYSIS_GRAPH_PROPAGATE_H

#include "model/cycles.h"
#include "model/graph.h"
#include "model/selection.h"
#include "model/weights.h"

/* Calls of each node, in mem. Linear. */
struct calls propagate_count_calls(const struct graph *graph, const struct cycles *cycles,
				   struct arena *mem);

/*
 * Each callee's time is divided among its callers by their shares of its calls; a cycle counts as
 * one. The result lives in mem. Linear in nodes and arcs.
 */
struct weights propagate(const struct graph *graph, const struct cycles *cycles,
			 const struct calls *calls, const struct ticks *ticks,
			 const struct selection *sel, struct arena *mem);

#endif
