/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call graph in compressed sparse rows, in both directions. */
#ifndef MODEL_GRAPH_H
#define MODEL_GRAPH_H

#include "model/symtab.h"

struct arc {
	sym_id from, to;
	uint64_t ncalls;
};

/*
 * Nodes are symbol ids. Arcs of a caller are consecutive, no two with the same callee; within a
 * caller, and within a callee's list, the arc that appeared last in the data comes first.
 */
struct graph {
	uint32_t nnodes, narcs;
	const struct arc *arc;
	/* arcs out of n: arc[out[n]] up to, but not including, arc[out[n + 1]] */
	const uint32_t *out;
	const uint32_t *in; /* arcs into n: arc[in_arc[in[n]]] up to, but not including,
			       arc[in_arc[in[n + 1]]] */
	const uint32_t *in_arc;
	const uint32_t *by_age; /* indices of all arcs, in the order in which they first appeared */
};

#endif
