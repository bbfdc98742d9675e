/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call graph in compressed rows, both directions. */
#ifndef MODEL_GRAPH_H
#define MODEL_GRAPH_H

#include "model/symtab.h"

struct arc {
	sym_id from, to;
	uint64_t ncalls;
};

/*
 * Nodes are symbol ids. Arcs of one caller stand together, no two with the same callee; within
 * a caller, and within a callee's list, the arc that appeared last in the data comes first.
 */
struct graph {
	uint32_t nnodes, narcs;
	const struct arc *arc;
	const uint32_t *out; /* arcs out of n: arc[out[n]] up to, not with, arc[out[n + 1]] */
	const uint32_t *in;  /* arcs into n: arc[in_arc[in[n]]] up to, not with, in[n + 1] */
	const uint32_t *in_arc;
	const uint32_t *by_age; /* indices of all arcs, the one that appeared first first */
};

#endif
