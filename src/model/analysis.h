/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of all passes, which reports and exports read. */
#ifndef MODEL_ANALYSIS_H
#define MODEL_ANALYSIS_H

#include "model/confidence.h"
#include "model/costs.h"
#include "model/cycles.h"
#include "model/graph.h"
#include "model/objects.h"
#include "model/order.h"
#include "model/processes.h"
#include "model/profile.h"
#include "model/program.h"
#include "model/selection.h"
#include "model/source.h"
#include "model/stacks.h"

/*
 * Without samples or arcs in the data all members are valid, with zeros. Nodes are numbered as in
 * costs.h. Nothing changes after analyze() has returned.
 */
struct analysis {
	const struct program *program;
	const struct profile *profile;
	struct selection selection;
	struct graph graph;
	struct cycles cycles;
	struct costs costs;
	struct confidence confidence; /* for the intervals of figures */
	struct stacks tree; /* with NEEDS_STACKS, if costs are measured: the tree of all stacks, or
			       of those that the user chose; times are ticks */
	struct processes processes;  /* of the recording; empty unless costs are measured */
	struct bitset entries;       /* nodes with an entry in the call graph; without bits: all */
	struct order order;          /* empty unless an order was asked for */
	struct blocks blocks;        /* empty unless the symbols are lines */
	struct source_files sources; /* empty unless source files were asked for */
	struct object_rows objects;  /* empty unless the symbols are of several objects */
};

/*
 * Whether ticks have no sampling error, because they are measured by a clock, such as waiting, or
 * events that were all counted.
 */
static inline bool analysis_is_exact(const struct analysis *a)
{
	return clock_is_measured(&a->costs.origin.clock) ||
	       (a->profile->has_hists && unit_is_counted(&a->profile->unit));
}

static inline uint32_t analysis_nnodes(const struct analysis *a)
{
	return a->graph.nnodes + a->cycles.ncycles;
}

/* The node that represents n in the graph: its cycle, or itself. */
static inline uint32_t analysis_whole(const struct analysis *a, uint32_t n)
{
	uint32_t cycle = a->cycles.ncycles > 0 && n < a->graph.nnodes ? a->cycles.of_node[n] : 0;

	return cycle ? a->graph.nnodes + cycle - 1 : n;
}

/* Whether any call is known; if not, calls were not counted, or none was made. Linear in arcs. */
static inline bool analysis_has_calls(const struct analysis *a)
{
	for (uint32_t i = 0; i < a->graph.narcs; i++) {
		if (a->graph.arc[i].ncalls > 0)
			return true;
	}
	return false;
}

/* Whether a node may have an entry in the call graph. */
static inline bool analysis_shows(const struct analysis *a, uint32_t node)
{
	return bitset_has(a->costs.graph.shown, node) &&
	       (!a->entries.bits || bitset_has(a->entries, node));
}

/* Whether a symbol is a node of the call graph: inlined functions are nodes only if costs are
 * measured. */
static inline bool analysis_has_node(const struct analysis *a, sym_id s)
{
	return a->costs.origin.measured || !(a->program->symtab.sym[s].flags & SYM_INLINED);
}

/* Whether calls between two nodes stay within one function or cycle. */
static inline bool analysis_is_inside(const struct analysis *a, uint32_t from, uint32_t to)
{
	return analysis_whole(a, from) == analysis_whole(a, to);
}

#endif
