/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that must have been made, but were not recorded; and arcs that close a large cycle.
 *
 * A function whose code cannot go back reaches each call in it at most once each time it runs. So
 * if one of them was made more often than the function was called, calls of the function are
 * missing.
 */
#include "config.h"

#include "analysis/diagnosis/suspects.h"

#include "base/sort.h"

#include <stdlib.h>

enum { LEAST_LOST = 2, LARGE_CYCLE = 6, MAX_CYCLE_ARCS = 4096, MAX_CLOSERS = 3 };

const uint64_t *suspects_calls(const struct suspects *s, struct arena *mem)
{
	const struct symtab *functions = &s->e->functions;
	uint64_t *calls = arena_array(mem, uint64_t, functions->nsyms);

	for (size_t i = 0; i < s->ncallees; i++) {
		sym_id to = symtab_find(functions, s->callees[i].pc);

		if (to != SYM_NONE)
			calls[to] += s->callees[i].ncalls;
	}
	return calls;
}

static int compare_sites(const void *x, const void *y)
{
	const struct raw_arc *a = x, *b = y;

	return (a->from_pc > b->from_pc) - (a->from_pc < b->from_pc);
}

/* Whether what is recorded for a caller may also be one behind the function. */
static bool reaches_out(const struct suspects *s, uint64_t from_pc, const struct sym *sym)
{
	return s->writer != RUNTIME_LIBGMON &&
	       from_pc + 2 * (uint64_t)s->a->profile->target.ptr_size > sym->hi;
}

/* The function of which most calls are missing, as far as that is certain. */
void suspect_lost_calls(struct suspects *s)
{
	const struct profile *prof = s->a->profile;
	const struct evidence *e = s->e;
	struct arena scratch = arena_scratch(s->mem);
	const uint64_t *calls = suspects_calls(s, &scratch);
	struct raw_arc *arcs = arena_array(&scratch, struct raw_arc, prof->arcs.n);
	uint64_t made = 0, most = 0, most_made = 0;
	sym_id worst = SYM_NONE;

	for (size_t i = 0; i < prof->arcs.n; i++)
		arcs[i] = prof->arcs.at[i];
	qsort(arcs, prof->arcs.n, sizeof(*arcs), compare_sites);
	for (size_t i = 0; e->decoded && e->sees_jumps && i < prof->arcs.n; i++) {
		sym_id in = symtab_find(&e->functions, arcs[i].from_pc);
		uint64_t lost, sites = suspects_sites(s, arcs[i].from_pc);

		made = i > 0 && arcs[i - 1].from_pc == arcs[i].from_pc ? made + arcs[i].ncalls
								       : arcs[i].ncalls;
		if (in == SYM_NONE || !bitset_has(e->counts, in) || bitset_has(e->loops, in) ||
		    calls[in] == 0 || sites == 0 || made / sites <= calls[in] ||
		    reaches_out(s, arcs[i].from_pc, &e->functions.sym[in]))
			continue;
		lost = made / sites - calls[in];
		if (lost < LEAST_LOST || !is_share(lost, made / sites, 1) || lost <= most)
			continue;
		most = lost;
		most_made = made / sites;
		worst = in;
	}
	if (worst != SYM_NONE) {
		struct finding *f = suspects_add(s, FOUND_CALLS_LOST);

		f->name[2] = e->functions.sym[worst].name;
		f->name[3] = s->writer == RUNTIME_LIBGMON ? NULL : "libgmon";
		f->name[4] = s->writer == RUNTIME_LIBGMON ? "moncontrol" : NULL;
		f->number[0] = most_made;
		f->number[1] = calls[worst];
	}
	arena_free(&scratch);
}

/* The arcs inside a cycle that were taken so far, in lists of their callers. */
struct heavier {
	const struct arc *arcs;
	uint32_t *first,
		*next; /* of a member by its place in the cycle; of an arc; UINT32_MAX ends */
	const uint32_t *place; /* of a symbol */
	uint32_t *stack;
	bool *seen;
	uint32_t nmembers;
};

/* Whether arcs lead from one member to the other. */
static bool leads(struct heavier *h, uint32_t from, uint32_t to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < h->nmembers; i++)
		h->seen[i] = false;
	h->stack[n++] = from;
	h->seen[from] = true;
	while (n > 0) {
		uint32_t at = h->stack[--n];

		if (at == to)
			return true;
		for (uint32_t i = h->first[at]; i != UINT32_MAX; i = h->next[i]) {
			uint32_t next = h->place[h->arcs[i].to];

			if (!h->seen[next])
				h->stack[n++] = next;
			h->seen[next] = true;
		}
	}
	return false;
}

static int compare_weights(uint32_t x, uint32_t y, const void *arcs)
{
	const struct arc *a = (const struct arc *)arcs + x, *b = (const struct arc *)arcs + y;

	if (a->ncalls != b->ncalls)
		return a->ncalls > b->ncalls ? -1 : 1;
	return (x > y) - (x < y);
}

/*
 * Takes the arcs inside a cycle, the heaviest first, and leaves out each that would close one over
 * those taken: these, the lightest first, become names and numbers of f. Members times arcs, which
 * are at most MAX_CYCLE_ARCS; of a cycle with more, none is named.
 */
static void name_closers(const struct analysis *a, uint32_t cycle, struct finding *f,
			 const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const struct cycles *c = &a->cycles;
	const sym_id *member = c->member + c->start[cycle - 1];
	uint32_t nmembers = c->start[cycle] - c->start[cycle - 1], n = 0, nclosers = 0;
	uint32_t *place = arena_sparse(&scratch, a->graph.nnodes, sizeof(*place));
	struct arc *arcs = arena_array(&scratch, struct arc, MAX_CYCLE_ARCS);
	uint32_t *order = arena_array(&scratch, uint32_t, MAX_CYCLE_ARCS);
	struct heavier h = { .arcs = arcs, .place = place, .nmembers = nmembers };

	for (uint32_t i = 0; i < nmembers; i++) {
		place[member[i]] = i;
		for (uint32_t k = a->graph.out[member[i]]; k < a->graph.out[member[i] + 1]; k++) {
			const struct arc *arc = &a->graph.arc[k];

			if (arc->to == arc->from || c->of_node[arc->to] != cycle)
				continue;
			if (n == MAX_CYCLE_ARCS)
				goto end;
			order[n] = n;
			arcs[n++] = *arc;
		}
	}
	h.first = arena_array(&scratch, uint32_t, nmembers);
	h.next = arena_array(&scratch, uint32_t, n);
	h.stack = arena_array(&scratch, uint32_t, nmembers);
	h.seen = arena_array(&scratch, bool, nmembers);
	for (uint32_t i = 0; i < nmembers; i++)
		h.first[i] = UINT32_MAX;
	sort_ids(order, n, compare_weights, arcs, &scratch);
	for (uint32_t i = 0; i < n; i++) {
		const struct arc *arc = &arcs[order[i]];
		uint32_t from = place[arc->from];

		if (leads(&h, place[arc->to], from)) {
			order[nclosers++] = order[i];
			continue;
		}
		h.next[order[i]] = h.first[from];
		h.first[from] = order[i];
	}
	f->number[6] = nclosers;
	for (uint32_t i = 0; i < nclosers && i < MAX_CLOSERS; i++) {
		const struct arc *arc = &arcs[order[nclosers - 1 - i]];

		f->name[2 + 2 * i] = a->program->symtab.sym[arc->from].name;
		f->name[3 + 2 * i] = a->program->symtab.sym[arc->to].name;
		f->number[3 + i] = arc->ncalls;
	}
end:
	arena_free(&scratch);
}

void suspect_cycles(struct suspects *s)
{
	const struct analysis *a = s->a;
	const struct weights *w = &a->weights;
	uint32_t largest = 0;
	double most = 0.0;

	for (uint32_t c = 1; c <= a->cycles.ncycles; c++) {
		uint32_t node = a->graph.nnodes + c - 1;
		double time = w->self[node] + w->children[node];

		if (a->cycles.start[c] - a->cycles.start[c - 1] >= LARGE_CYCLE && time > most) {
			largest = c;
			most = time;
		}
	}
	if (largest > 0 && w->total > 0.0 && 2.0 * most >= w->total) {
		struct finding *f = suspects_add(s, FOUND_ONE_CYCLE);

		f->number[0] = a->cycles.start[largest] - a->cycles.start[largest - 1];
		f->number[1] = whole(most);
		f->number[2] = whole(w->total);
		name_closers(a, largest, f, s->mem);
	}
}
