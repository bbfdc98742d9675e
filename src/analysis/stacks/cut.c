/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One depth-first walk with an explicit stack. */
#include "config.h"

#include "analysis/stacks/cut.h"

#include "base/radix.h"

enum cut_state { UNSEEN, BUSY, DONE };

struct cut_walk {
	const struct graph *graph;
	struct bitset shown, cut; /* symbols; arcs */
	/* arcs in rows as in the graph, each row sorted by number of calls */
	const uint32_t *sorted;
	unsigned char *state; /* enum cut_state of each symbol */
	uint32_t *next;       /* the next arc to follow in each symbol's row */
	sym_id *path;         /* the functions on the current path of the walk */
	sym_id *finished;
	uint32_t nfinished;
};

/* Sorts the arcs of each caller by their calls, the most first; rows are as in the graph. */
static const uint32_t *cut_sort_arcs(const struct graph *g, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct keyed *items = arena_array(&scratch, struct keyed, g->narcs);
	uint32_t *next = arena_array(&scratch, uint32_t, g->nnodes);
	uint32_t *sorted = arena_array(mem, uint32_t, g->narcs);

	for (uint32_t i = 0; i < g->narcs; i++)
		items[i] = (struct keyed){ ~g->arc[i].ncalls, i };
	radix_sort_keyed(items, g->narcs, &scratch);
	for (sym_id s = 0; s < g->nnodes; s++)
		next[s] = g->out[s];
	for (uint32_t i = 0; i < g->narcs; i++)
		sorted[next[g->arc[items[i].id].from]++] = items[i].id;
	arena_free(&scratch);
	return sorted;
}

static void cut_walk_from(struct cut_walk *w, sym_id root)
{
	const struct graph *g = w->graph;
	uint32_t npath = 0;

	if (w->state[root] != UNSEEN)
		return;
	w->state[root] = BUSY;
	w->path[npath++] = root;
	while (npath > 0) {
		sym_id s = w->path[npath - 1];
		uint32_t arc;
		sym_id to;

		if (w->next[s] == g->out[s + 1]) {
			w->state[s] = DONE;
			w->finished[w->nfinished++] = s;
			npath--;
			continue;
		}
		arc = w->sorted[w->next[s]++];
		to = g->arc[arc].to;
		if (g->arc[arc].ncalls == 0 || !bitset_has(w->shown, s) ||
		    !bitset_has(w->shown, to) || w->state[to] == BUSY) {
			bitset_add(w->cut, arc);
		} else if (w->state[to] == UNSEEN) {
			w->state[to] = BUSY;
			w->path[npath++] = to;
		}
	}
}

/* Returns the member of a cycle that the other members call least; of several, the first. */
static sym_id cut_least_called(const struct graph *g, const struct cycles *cycles, uint32_t cycle)
{
	sym_id least = SYM_NONE;
	double fewest = 0.0;

	for (uint32_t m = cycles->start[cycle - 1]; m < cycles->start[cycle]; m++) {
		sym_id s = cycles->member[m];
		double ncalls = 0.0;

		for (uint32_t i = g->in[s]; i < g->in[s + 1]; i++) {
			const struct arc *arc = &g->arc[g->in_arc[i]];

			if (arc->from != s && cycles->of_node[arc->from] == cycle)
				ncalls += (double)arc->ncalls;
		}
		if (least == SYM_NONE || ncalls < fewest || (ncalls == fewest && s < least)) {
			least = s;
			fewest = ncalls;
		}
	}
	return least;
}

static bool cut_was_entered(const struct cut_walk *w, const struct cycles *cycles, uint32_t cycle)
{
	for (uint32_t m = cycles->start[cycle - 1]; m < cycles->start[cycle]; m++) {
		if (w->state[cycles->member[m]] != UNSEEN)
			return true;
	}
	return false;
}

/* Begins with callers, so that a cycle is entered where it is called from outside, if it is. */
static void cut_walk_all(struct cut_walk *w, const struct cycles *cycles)
{
	uint32_t last_cycle = 0;

	for (uint32_t i = w->graph->nnodes; i-- > 0;) {
		uint32_t cycle = cycles->of_node[cycles->topo[i]];

		if (!cycle)
			cut_walk_from(w, cycles->topo[i]);
		else if (cycle != last_cycle && !cut_was_entered(w, cycles, cycle))
			cut_walk_from(w, cut_least_called(w->graph, cycles, cycle));
		last_cycle = cycle;
	}
	/*
	 * Symbols not reached so far are members of cycles which lack calls from outside or are
	 * reached only by arcs with zero calls.
	 */
	for (sym_id s = 0; s < w->graph->nnodes; s++)
		cut_walk_from(w, s);
}

struct cut cut_recursion(const struct graph *graph, const struct cycles *cycles,
			 struct bitset shown, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t n = graph->nnodes;
	struct cut_walk w = {
		.graph = graph,
		.shown = shown,
		.cut = bitset_empty(mem, graph->narcs),
		.sorted = cut_sort_arcs(graph, &scratch),
		.state = arena_array(&scratch, unsigned char, n),
		.next = arena_array(&scratch, uint32_t, n),
		.path = arena_array(&scratch, sym_id, n),
		.finished = arena_array(mem, sym_id, n),
	};

	for (sym_id s = 0; s < n; s++)
		w.next[s] = graph->out[s];
	cut_walk_all(&w, cycles);
	arena_free(&scratch);
	return (struct cut){ w.cut, w.finished };
}
