/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds one arc after the other to a graph, and before each searches the graph for a path back. */
#include "config.h"

#include "analysis/diagnosis/cycle_arcs.h"

#include "base/sort.h"

enum { LARGE_CYCLE = 6, MAX_CYCLE_ARCS = 4096, MAX_CLOSERS = 3 };

/* The arcs within a cycle. Those added to the graph so far are in lists by caller. */
struct cycle_arcs {
	struct arc *arcs;
	uint32_t narcs, nmembers;
	uint32_t *place; /* for each symbol, its index in the cycle */
	uint32_t *first; /* for each member, the first added arc; UINT32_MAX: none */
	uint32_t *next;  /* for each arc, the next one of the same caller; UINT32_MAX: none */
	uint32_t *stack;
	bool *seen;
};

/*
 * Fills in the arcs of the cycle and the indices of its members. Returns false if there are too
 * many.
 */
static bool cycle_arcs_list(struct cycle_arcs *c, const struct analysis *a, uint32_t cycle)
{
	const sym_id *member = a->cycles.member + a->cycles.start[cycle - 1];

	for (uint32_t i = 0; i < c->nmembers; i++) {
		c->place[member[i]] = i;
		for (uint32_t k = a->graph.out[member[i]]; k < a->graph.out[member[i] + 1]; k++) {
			const struct arc *arc = &a->graph.arc[k];

			if (arc->to == arc->from || a->cycles.of_node[arc->to] != cycle)
				continue;
			if (c->narcs == MAX_CYCLE_ARCS)
				return false;
			c->arcs[c->narcs++] = *arc;
		}
	}
	return true;
}

/* Whether added arcs lead from one member to the other. */
static bool cycle_arcs_lead_back(struct cycle_arcs *c, uint32_t from, uint32_t to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nmembers; i++)
		c->seen[i] = false;
	c->stack[n++] = from;
	c->seen[from] = true;
	while (n > 0) {
		uint32_t at = c->stack[--n];

		if (at == to)
			return true;
		for (uint32_t i = c->first[at]; i != UINT32_MAX; i = c->next[i]) {
			uint32_t next = c->place[c->arcs[i].to];

			if (!c->seen[next])
				c->stack[n++] = next;
			c->seen[next] = true;
		}
	}
	return false;
}

static int cycle_arcs_order(uint32_t x, uint32_t y, const void *arcs)
{
	const struct arc *a = (const struct arc *)arcs + x, *b = (const struct arc *)arcs + y;

	if (a->ncalls != b->ncalls)
		return a->ncalls > b->ncalls ? -1 : 1;
	return (x > y) - (x < y);
}

/*
 * Adds the arcs, those with the most time first; returns the *n arcs that close a cycle, in that
 * order.
 */
static const uint32_t *cycle_arcs_find(struct cycle_arcs *c, uint32_t *n, struct arena *mem)
{
	uint32_t *order = arena_array(mem, uint32_t, c->narcs);

	c->first = arena_array(mem, uint32_t, c->nmembers);
	c->next = arena_array(mem, uint32_t, c->narcs);
	c->stack = arena_array(mem, uint32_t, c->nmembers);
	c->seen = arena_array(mem, bool, c->nmembers);
	for (uint32_t i = 0; i < c->nmembers; i++)
		c->first[i] = UINT32_MAX;
	for (uint32_t i = 0; i < c->narcs; i++)
		order[i] = i;
	sort_ids(order, c->narcs, cycle_arcs_order, c->arcs, mem);
	*n = 0;
	for (uint32_t i = 0; i < c->narcs; i++) {
		const struct arc *arc = &c->arcs[order[i]];
		uint32_t from = c->place[arc->from];

		if (cycle_arcs_lead_back(c, c->place[arc->to], from)) {
			order[(*n)++] = order[i];
			continue;
		}
		c->next[order[i]] = c->first[from];
		c->first[from] = order[i];
	}
	return order;
}

/* Names in f the few closing arcs with the least time. */
static void cycle_arcs_name(const struct analysis *a, uint32_t cycle, struct finding *f,
			    const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct cycle_arcs c = {
		.arcs = arena_array(&scratch, struct arc, MAX_CYCLE_ARCS),
		.nmembers = a->cycles.start[cycle] - a->cycles.start[cycle - 1],
		.place = arena_sparse(&scratch, a->graph.nnodes, sizeof(*c.place)),
	};

	if (cycle_arcs_list(&c, a, cycle)) {
		uint32_t n;
		const uint32_t *closer = cycle_arcs_find(&c, &n, &scratch);

		f->number[6] = n;
		for (uint32_t i = 0; i < n && i < MAX_CLOSERS; i++) {
			const struct arc *arc = &c.arcs[closer[n - 1 - i]];

			f->name[2 + 2 * i] = a->program->symtab.sym[arc->from].name;
			f->name[3 + 2 * i] = a->program->symtab.sym[arc->to].name;
			f->number[3 + i] = arc->ncalls;
		}
	}
	arena_free(&scratch);
}

void cycle_arcs_closing(struct diagnosis *s)
{
	const struct analysis *a = s->a;
	const struct graph_costs *w = &a->costs.graph;
	uint32_t largest = 0;
	double most = 0.0;

	for (uint32_t c = 1; c <= a->cycles.ncycles; c++) {
		uint32_t node = a->graph.nnodes + c - 1;
		double time = w->self[node] + w->children[node];

		if (time > most) {
			largest = c;
			most = time;
		}
	}
	if (largest > 0 && w->total > 0.0 && 10.0 * most > w->total) {
		uint32_t first = a->cycles.start[largest - 1];
		uint32_t n = a->cycles.start[largest] - first;
		struct finding *f =
			diagnosis_add(s, n >= LARGE_CYCLE ? FOUND_ONE_CYCLE : FOUND_SMALL_CYCLE);

		f->number[0] = n;
		f->number[1] = diagnosis_whole(most);
		f->number[2] = diagnosis_whole(w->total);
		if (n >= LARGE_CYCLE)
			cycle_arcs_name(a, largest, f, s->mem);
		else
			f->name[2] = a->program->symtab.sym[a->cycles.member[first]].name;
	}
}
