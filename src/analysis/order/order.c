/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The orders of functions and object files. The rules and their constants are those of GNU gprof,
 * so that linker scripts made from either agree.
 */
#include "config.h"

#include "analysis/order/order.h"

#include "base/array.h"
#include "base/bitset.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The share of all calls whose arcs, the busiest first, count as uses of a callee. */
#define BUSY_SHARE 0.9
/* The share of the calls of a list whose arcs, the busiest first, may join functions. */
#define JOINED_SHARE 0.99

enum {
	USED_PER_SHARED = 80, /* at most one used function in 80 is placed as shared */
	TOO_FEW_USES = 5,     /* the search for shared functions ends at one with this many uses */
};

/*
 * A list of functions. Positions ascend along it; the first two functions that it got have
 * positions 0 and 1.
 */
struct order_chain {
	sym_id first, last;
};

/*
 * The list so far, and the chains that will follow it. Arcs that are done join no more functions.
 * chain_of is the index of a function's chain plus 1; 0: it is in no chain.
 */
struct order_listing {
	const struct graph *graph;
	struct bitset done; /* set of arcs */
	/* functions that are listed already, or that must not be put into chains */
	struct bitset placed;
	struct bitset listed; /* set of functions */
	uint32_t *chain_of;
	int64_t *position;
	sym_id *next; /* the next function in the chain; SYM_NONE after the last */
	struct order_chain *chain;
	uint32_t nchains;
	sym_id *list;
	uint32_t nlist;
};

/* Indices of arcs, in the order in which they are used. */
struct arc_list {
	uint32_t *at;
	size_t n;
};

/*
 * Whether all arcs of a list join functions, or only the busiest, which have JOINED_SHARE of the
 * calls.
 */
enum reach { ALL_ARCS, BUSY_ARCS };

static struct order_listing order_begin(const struct graph *graph, struct arena *scratch)
{
	uint32_t n = graph->nnodes;

	return (struct order_listing){
		.graph = graph,
		.done = bitset_empty(scratch, graph->narcs),
		.placed = bitset_empty(scratch, n),
		.listed = bitset_empty(scratch, n),
		.chain_of = arena_array(scratch, uint32_t, n),
		.position = arena_array(scratch, int64_t, n),
		.next = arena_array(scratch, sym_id, n),
		.chain = arena_array(scratch, struct order_chain, n / 2 + 1),
		.list = arena_array(scratch, sym_id, n),
	};
}

static void order_place_row(struct order_listing *l, sym_id s)
{
	bitset_add(l->placed, s);
	bitset_add(l->listed, s);
	l->list[l->nlist++] = s;
}

static void order_start_chain(struct order_listing *l, sym_id first, sym_id last)
{
	l->chain[l->nchains++] = (struct order_chain){ first, last };
	l->chain_of[first] = l->chain_of[last] = l->nchains;
	l->position[first] = 0;
	l->position[last] = 1;
	l->next[first] = last;
	l->next[last] = SYM_NONE;
}

static void order_append(struct order_listing *l, sym_id s, uint32_t chain)
{
	struct order_chain *c = &l->chain[chain - 1];

	l->chain_of[s] = chain;
	l->position[s] = l->position[c->last] + 1;
	l->next[c->last] = s;
	l->next[s] = SYM_NONE;
	c->last = s;
}

static void order_prepend(struct order_listing *l, sym_id s, uint32_t chain)
{
	struct order_chain *c = &l->chain[chain - 1];

	l->chain_of[s] = chain;
	l->position[s] = l->position[c->first] - 1;
	l->next[s] = c->first;
	c->first = s;
}

/*
 * Joins the ends of an arc; false if both are in chains. A lone caller prefers the front of its
 * callee's chain, a lone callee the back of its caller's, unless the other end is nearer.
 */
static bool order_join(struct order_listing *l, sym_id caller, sym_id callee)
{
	uint32_t chain = l->chain_of[caller] ? l->chain_of[caller] : l->chain_of[callee];
	bool caller_alone = !l->chain_of[caller], callee_alone = !l->chain_of[callee];
	sym_id member = caller_alone ? callee : caller;
	int64_t forward, backward;

	if (!caller_alone && !callee_alone)
		return false;
	if (chain == 0) {
		order_start_chain(l, caller, callee);
		return true;
	}
	forward = l->position[l->chain[chain - 1].last] - l->position[member];
	backward = l->position[member] - l->position[l->chain[chain - 1].first];
	if (caller_alone && forward < backward)
		order_append(l, caller, chain);
	else if (caller_alone)
		order_prepend(l, caller, chain);
	else if (backward < forward)
		order_prepend(l, callee, chain);
	else
		order_append(l, callee, chain);
	return true;
}

static uint64_t order_sum_calls(const struct graph *graph, const struct arc_list *arcs)
{
	uint64_t total = 0;

	for (size_t i = 0; i < arcs->n; i++)
		total += graph->arc[arcs->at[i]].ncalls;
	return total;
}

static bool order_unplaced(const struct order_listing *l, const struct arc *arc)
{
	return !bitset_has(l->placed, arc->from) && !bitset_has(l->placed, arc->to);
}

/* Joins functions along a list of arcs; appends the arcs that joined none to left_over. */
static void order_join_arcs(struct order_listing *l, const struct arc_list *arcs, enum reach reach,
			    struct arc_list *left_over)
{
	double total = (double)order_sum_calls(l->graph, arcs);
	uint64_t sum = 0;

	for (size_t i = 0; i < arcs->n; i++) {
		uint32_t a = arcs->at[i];
		const struct arc *arc = &l->graph->arc[a];

		sum += arc->ncalls;
		if (bitset_has(l->done, a))
			continue;
		if ((reach == BUSY_ARCS && (double)sum / total > JOINED_SHARE) ||
		    !order_unplaced(l, arc) || !order_join(l, arc->from, arc->to))
			left_over->at[left_over->n++] = a;
		else
			bitset_add(l->done, a);
	}
}

/* Places functions along a list of arcs; appends the arcs that joined none to left_over. */
static void order_place_arcs(struct order_listing *l, const struct arc_list *arcs, enum reach reach,
			     struct arc_list *left_over)
{
	order_join_arcs(l, arcs, reach, left_over);
	for (size_t i = 0; i < arcs->n; i++) {
		const struct arc *arc = &l->graph->arc[arcs->at[i]];
		uint32_t chain = l->chain_of[arc->from];

		if (!order_unplaced(l, arc) || chain == 0)
			continue;
		for (sym_id s = l->chain[chain - 1].first; s != SYM_NONE; s = l->next[s])
			order_place_row(l, s);
	}
	for (size_t i = 0; i < arcs->n && reach == ALL_ARCS; i++) {
		const struct arc *arc = &l->graph->arc[arcs->at[i]];

		if (order_unplaced(l, arc))
			order_place_row(l, arc->from);
	}
}

/* Arcs between different functions, in the order of the data. */
static struct arc_list order_proper_arcs(const struct graph *graph, struct arena *scratch)
{
	struct arc_list arcs = { arena_array(scratch, uint32_t, graph->narcs), 0 };

	for (uint32_t k = 0; k < graph->narcs; k++) {
		uint32_t a = graph->by_age[k];

		if (graph->arc[a].from != graph->arc[a].to)
			arcs.at[arcs.n++] = a;
	}
	return arcs;
}

static struct arc_list order_empty_list(const struct graph *graph, struct arena *scratch)
{
	return (struct arc_list){ arena_array(scratch, uint32_t, 2 * (size_t)graph->narcs), 0 };
}

static int order_busier_arc(uint32_t x, uint32_t y, const void *graph)
{
	const struct arc *a = &((const struct graph *)graph)->arc[x];
	const struct arc *b = &((const struct graph *)graph)->arc[y];

	return (a->ncalls < b->ncalls) - (a->ncalls > b->ncalls);
}

static int order_more_uses(uint32_t x, uint32_t y, const void *uses)
{
	const uint32_t *n = uses;

	return (n[x] < n[y]) - (n[x] > n[y]);
}

/* Counts how many of the busiest arcs lead to each function. */
static uint32_t *order_count_uses(const struct graph *graph, const struct arc_list *busiest_first,
				  struct arena *scratch)
{
	uint32_t *uses = arena_array(scratch, uint32_t, graph->nnodes);
	double total = (double)order_sum_calls(graph, busiest_first);
	uint64_t sum = 0;

	for (size_t i = 0; i < busiest_first->n; i++) {
		const struct arc *arc = &graph->arc[busiest_first->at[i]];

		sum += arc->ncalls;
		if ((double)sum / total > BUSY_SHARE)
			break;
		uses[arc->to]++;
	}
	return uses;
}

/*
 * Finds the functions that are placed first because of their many uses, the most used first;
 * returns their number.
 */
static uint32_t order_find_shared(const struct calls *calls, const uint32_t *uses, uint32_t nnodes,
				  sym_id *shared, const struct arena *mem)
{
	uint32_t nused = 0, n = 0;

	for (sym_id s = 0; s < nnodes; s++) {
		if (calls->outer[s] != 0)
			shared[nused++] = s;
	}
	sort_ids(shared, nused, order_more_uses, uses, mem);
	while (n < nused / USED_PER_SHARED && uses[shared[n]] != TOO_FEW_USES)
		n++;
	return n;
}

/* Marks the arcs of s as done; appends its arcs from or to other functions to its_arcs. */
static void order_retire_arcs(struct order_listing *l, sym_id s, struct arc_list *its_arcs)
{
	const struct graph *g = l->graph;

	for (uint32_t a = g->out[s]; a < g->out[s + 1]; a++) {
		bitset_add(l->done, a);
		if (g->arc[a].to != s)
			its_arcs->at[its_arcs->n++] = a;
	}
	for (uint32_t k = g->in[s]; k < g->in[s + 1]; k++) {
		uint32_t a = g->in_arc[k];

		bitset_add(l->done, a);
		if (g->arc[a].from != s)
			its_arcs->at[its_arcs->n++] = a;
	}
}

/*
 * Places shared functions, most uses first. In two kinds of pairs only the caller is placed here,
 * in the order of the calls between the two, and the callee later with the rest: two functions that
 * call each other, and a function and its caller that was never called itself. No function is in
 * two such pairs.
 */
static void order_place_shared(struct order_listing *l, const sym_id *shared, uint32_t n,
			       struct arena *scratch)
{
	struct arc_list arcs = order_empty_list(l->graph, scratch), pairs = { arcs.at, 0 };

	for (uint32_t i = 0; i < n; i++) {
		bitset_add(l->placed, shared[i]);
		order_retire_arcs(l, shared[i], &arcs);
	}
	for (size_t i = 0; i < arcs.n; i++) {
		const struct arc *arc = &l->graph->arc[arcs.at[i]];

		if (!bitset_has(l->placed, arc->from) || !bitset_has(l->placed, arc->to))
			continue;
		bitset_remove(l->placed, arc->from);
		bitset_remove(l->placed, arc->to);
		pairs.at[pairs.n++] = arcs.at[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		if (bitset_has(l->placed, shared[i]))
			order_place_row(l, shared[i]);
	}
	sort_ids(pairs.at, pairs.n, order_busier_arc, l->graph, scratch);
	for (size_t i = 0; i < pairs.n; i++)
		order_place_row(l, l->graph->arc[pairs.at[i]].from);
}

struct order order_functions(const struct symtab *symtab, const struct graph *graph,
			     const struct calls *calls, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct order_listing l = order_begin(graph, &scratch);
	struct arc_list arcs = order_proper_arcs(graph, &scratch);
	struct arc_list left_over = order_empty_list(graph, &scratch);
	struct arc_list dropped = order_empty_list(graph, &scratch);
	const char **name = arena_array(mem, const char *, graph->nnodes);
	sym_id *shared = arena_array(&scratch, sym_id, graph->nnodes);
	uint32_t nshared;

	for (sym_id s = 0; s < graph->nnodes; s++) {
		if (calls->outer[s] == 0)
			bitset_add(l.placed, s);
	}
	sort_ids(arcs.at, arcs.n, order_busier_arc, graph, &scratch);
	nshared = order_find_shared(calls, order_count_uses(graph, &arcs, &scratch), graph->nnodes,
				    shared, &scratch);
	order_place_shared(&l, shared, nshared, &scratch);
	order_place_arcs(&l, &arcs, BUSY_ARCS, &left_over);
	order_place_arcs(&l, &left_over, ALL_ARCS, &dropped);
	for (sym_id s = 0; s < graph->nnodes; s++) {
		if (calls->outer[s] != 0 && !bitset_has(l.placed, s))
			order_place_row(&l, s);
	}
	for (sym_id s = 0; s < graph->nnodes; s++) {
		if (!bitset_has(l.listed, s))
			order_place_row(&l, s);
	}
	assert(l.nlist == graph->nnodes);
	for (uint32_t i = 0; i < l.nlist; i++)
		name[i] = symtab->sym[l.list[i]].name;
	arena_free(&scratch);
	return (struct order){ name, graph->nnodes };
}

static int order_compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists the object files of a map by name, each once; returns their number. */
static size_t order_list_objects(const struct object_map *map, const char **object)
{
	size_t n = 0;

	for (size_t i = 0; i < map->n; i++)
		object[i] = map->entry[i].object;
	qsort(object, map->n, sizeof(*object), order_compare_names);
	for (size_t i = 0; i < map->n; i++) {
		if (n == 0 || strcmp(object[n - 1], object[i]) != 0)
			object[n++] = object[i];
	}
	return n;
}

struct order order_objects(const struct symtab *symtab, const struct graph *graph,
			   const struct object_map *map, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct order_listing l = order_begin(graph, &scratch);
	struct arc_list arcs = order_proper_arcs(graph, &scratch);
	struct arc_list dropped = order_empty_list(graph, &scratch);
	const char **object = arena_array(&scratch, const char *, map->n);
	size_t nobjects = order_list_objects(map, object), n = 0;
	const char **name = arena_array(mem, const char *, nobjects);
	struct bitset listed = bitset_empty(&scratch, nobjects);

	for (size_t i = 0; i < arcs.n; i++) {
		const struct arc *arc = &graph->arc[arcs.at[i]];

		if (!(symtab->sym[arc->from].flags & symtab->sym[arc->to].flags & SYM_OBJECT))
			bitset_add(l.done, arcs.at[i]);
	}
	order_place_arcs(&l, &arcs, BUSY_ARCS, &dropped);
	for (sym_id s = 0; s < graph->nnodes; s++) {
		if (symtab->sym[s].flags & SYM_OBJECT && !bitset_has(l.placed, s))
			order_place_row(&l, s);
	}
	/* All static functions with the same name are mapped to the same object. */
	for (uint32_t i = 0; i < l.nlist; i++) {
		const char *const *at = bsearch(&symtab->sym[l.list[i]].name, object, nobjects,
						sizeof(*object), order_compare_names);

		assert(at);
		if (!bitset_has(listed, (size_t)(at - object)))
			name[n++] = *at;
		bitset_add(listed, (size_t)(at - object));
	}
	for (size_t i = 0; i < nobjects; i++) {
		if (!bitset_has(listed, i))
			name[n++] = object[i];
	}
	arena_free(&scratch);
	return (struct order){ name, n };
}
