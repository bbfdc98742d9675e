/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycles and topological order. */
#ifndef ANALYSIS_GRAPH_CYCLES_H
#define ANALYSIS_GRAPH_CYCLES_H

#include "model/cycles.h"
#include "model/graph.h"

/*
 * Finds cycles by a depth-first walk from each node in turn, along all arcs, also those with no
 * calls. The result lives in mem. Linear in nodes and arcs, with no recursion.
 */
struct cycles cycles_find(const struct graph *graph, struct arena *mem);

#endif
