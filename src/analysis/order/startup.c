/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks the arcs once, then the functions. */
#include "config.h"

#include "analysis/order/startup.h"

struct startup_listing {
	sym_id *list;
	uint32_t n;
	struct bitset placed;
};

static void startup_place(struct startup_listing *l, sym_id s)
{
	if (bitset_has(l->placed, s))
		return;
	bitset_add(l->placed, s);
	l->list[l->n++] = s;
}

static bool startup_is_called(const struct analysis *a, sym_id s)
{
	return a->costs.calls.outer[s] != 0 || a->costs.calls.self[s] != 0;
}

uint32_t startup_list(const struct analysis *a, sym_id *list, const struct arena *mem)
{
	const struct graph *graph = &a->graph;
	struct arena scratch = arena_scratch(mem);
	struct startup_listing l = { list, 0, bitset_empty(&scratch, graph->nnodes) };

	for (uint32_t k = 0; k < graph->narcs; k++) {
		const struct arc *arc = &graph->arc[graph->by_age[k]];

		if (arc->ncalls == 0)
			continue;
		if (!startup_is_called(a, arc->from))
			startup_place(&l, arc->from);
		startup_place(&l, arc->to);
	}
	for (sym_id s = 0; s < graph->nnodes; s++) {
		if (a->costs.self[s] > 0.0)
			startup_place(&l, s);
	}
	arena_free(&scratch);
	return l.n;
}
