/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the call graph. */
#ifndef ANALYSIS_GRAPH_GRAPH_H
#define ANALYSIS_GRAPH_GRAPH_H

#include "model/graph.h"

/*
 * Builds the graph of nnodes nodes, in mem, from n arcs in the order of the data. Arcs with the
 * same ends are added up and keep the position of the first. Linear in nodes and arcs.
 */
struct graph graph_build(uint32_t nnodes, const struct arc *arcs, size_t n, struct arena *mem);

#endif
