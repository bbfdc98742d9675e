/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prefetching has stages, because an address must be loaded before what it points to can be. */
#include "config.h"

#include "report/prefetch.h"

#include "report/labels.h"

enum { STAGES = 5, STEP = PREFETCH_ENTRIES / STAGES };

void prefetch_line(const struct text *t, const struct neighbours *list, uint32_t i)
{
	if (i + 2 * PREFETCH_LINES < list->n)
		labels_prefetch(t, list->at[i + 2 * PREFETCH_LINES].other);
	if (i + PREFETCH_LINES < list->n)
		labels_prefetch_name(t, list->at[i + PREFETCH_LINES].other);
}

static uint32_t prefetch_at_most(uint32_t first, uint32_t end)
{
	return end - first > PREFETCH_LINES ? first + PREFETCH_LINES : end;
}

/* Prefetches for the first few callers and callees of an entry that is `stage` steps ahead: arcs,
 * then labels, then names. */
static void prefetch_along(const struct text *t, uint32_t s, unsigned stage)
{
	const struct graph *g = &t->a->graph;

	for (uint32_t k = g->in[s]; k < prefetch_at_most(g->in[s], g->in[s + 1]); k++) {
		uint32_t arc = g->in_arc[k];

		if (stage == 3) {
			__builtin_prefetch(&g->arc[arc]);
			__builtin_prefetch(&t->a->costs.graph.up[arc]);
		} else if (stage == 2) {
			labels_prefetch(t, g->arc[arc].from);
		} else {
			labels_prefetch_name(t, g->arc[arc].from);
		}
	}
	for (uint32_t k = g->out[s]; k < prefetch_at_most(g->out[s], g->out[s + 1]) && stage > 1;
	     k++) {
		if (stage == 3) {
			labels_prefetch(t, g->arc[k].to);
			__builtin_prefetch(&t->a->costs.calls.outer[g->arc[k].to]);
		} else {
			labels_prefetch_name(t, g->arc[k].to);
		}
	}
}

/* A few arcs may extend into another cache line, so that one is prefetched, too. */
static void prefetch_callees(const struct text *t, uint32_t first, uint32_t end)
{
	uint32_t last = first < end ? prefetch_at_most(first, end) - 1 : first;

	__builtin_prefetch(&t->a->graph.arc[first]);
	__builtin_prefetch(&t->a->graph.arc[last]);
	__builtin_prefetch(&t->a->costs.graph.down[first]);
	__builtin_prefetch(&t->a->costs.graph.down[last]);
}

void prefetch_entry(const struct text *t, uint32_t i)
{
	const struct graph *g = &t->a->graph;
	const struct graph_costs *w = &t->a->costs.graph;

	for (unsigned stage = 1; stage <= STAGES && i + stage * STEP < t->norder; stage++) {
		uint32_t s = t->order[i + stage * STEP];

		if (s >= g->nnodes)
			continue;
		if (stage == 5) {
			__builtin_prefetch(&g->in[s]);
			__builtin_prefetch(&g->out[s]);
			__builtin_prefetch(&w->self[s]);
			__builtin_prefetch(&w->children[s]);
			__builtin_prefetch(&t->a->costs.calls.outer[s]);
			__builtin_prefetch(&t->a->costs.calls.self[s]);
			labels_prefetch(t, s);
		} else if (stage == 4) {
			if (g->narcs > 0) {
				__builtin_prefetch(&g->in_arc[g->in[s]]);
				prefetch_callees(t, g->out[s], g->out[s + 1]);
			}
			labels_prefetch_name(t, s);
		} else {
			prefetch_along(t, s, stage);
		}
	}
}
