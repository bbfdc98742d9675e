/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbols and arcs that each report shows or counts. */
#ifndef MODEL_SELECTION_H
#define MODEL_SELECTION_H

#include "base/bitset.h"
#include "model/symtab.h"

/* Calls from any symbol of one set to any of the other. */
struct arc_set {
	struct bitset from, to;
};

/*
 * Sets of symbols. In the two pairs of the call graph, `on` has the symbols that are included,
 * `off` those that are excluded although their callers are included; a symbol may be in neither.
 */
struct selection {
	struct bitset flat;                /* credited and listed in the flat profile */
	struct bitset exec;                /* listed with their calls */
	struct bitset lines;               /* counted in annotated source */
	struct bitset inclusive;           /* listed with their inclusive time */
	struct bitset tree;                /* roots of the call tree */
	struct bitset graph_on, graph_off; /* entries of the call graph */
	struct bitset time_on, time_off;   /* sources of propagated time */
	const struct arc_set *arcs_in;     /* if there are any, only these calls count */
	size_t narcs_in;
	const struct arc_set *arcs_out; /* if arcs_in is empty, all calls except these count */
	size_t narcs_out;
};

/* Whether calls from one symbol to another count. Linear in the selection's sets of arcs. */
static inline bool selection_has_arc(const struct selection *sel, sym_id from, sym_id to)
{
	const struct arc_set *sets = sel->narcs_in > 0 ? sel->arcs_in : sel->arcs_out;
	size_t n = sel->narcs_in > 0 ? sel->narcs_in : sel->narcs_out;

	for (size_t i = 0; i < n; i++) {
		if (bitset_has(sets[i].from, from) && bitset_has(sets[i].to, to))
			return sel->narcs_in > 0;
	}
	return sel->narcs_in == 0;
}

#endif
