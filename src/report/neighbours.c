/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorting the arcs of a function. Most lists are short and there are very many, so the order is in
 * two numbers an arc, compared in place: qsort() took a quarter of the time of a report of 10^6
 * arcs.
 */
#include "config.h"

#include "report/neighbours.h"

#include "base/radix.h"

enum { RUN = 8 };

/* Ranks of others are behind those of the other kinds: no time has this bit. */
#define BEHIND (UINT64_C(1) << 63)

static uint64_t neighbours_rank(const struct arc_time *time)
{
	return ~key_descending(time->self + time->children) | BEHIND;
}

static inline struct neighbour neighbours_describe(const struct analysis *a,
						   const struct arc_time *time, uint32_t arc_id,
						   sym_id s, uint32_t cycle)
{
	const struct arc *arc = &a->graph.arc[arc_id];
	enum arc_kind kind = arc->from == arc->to ? BY_ITSELF : BY_OTHERS;

	if (kind == BY_OTHERS && cycle &&
	    a->cycles.of_node[arc->from] == a->cycles.of_node[arc->to])
		kind = BY_CYCLE;
	return (struct neighbour){
		.rank = kind == BY_OTHERS ? neighbours_rank(&time[arc_id]) : kind,
		.calls = arc->ncalls,
		.arc = arc_id,
		.other = arc->from == s ? arc->to : arc->from,
		.kind = kind,
	};
}

static bool neighbours_is_before(const struct neighbour *x, const struct neighbour *y)
{
	return x->rank != y->rank ? x->rank < y->rank : x->calls < y->calls;
}

static void neighbours_insertion_sort(struct neighbour *at, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct neighbour item = at[i];
		uint32_t k = i;

		for (; k > 0 && neighbours_is_before(&item, &at[k - 1]); k--)
			at[k] = at[k - 1];
		at[k] = item;
	}
}

/* from[lo, middle) and from[middle, hi) to `to`; on a tie the former first. */
static void neighbours_merge(const struct neighbour *from, struct neighbour *to, uint32_t lo,
			     uint32_t middle, uint32_t hi)
{
	uint32_t x = lo, y = middle;

	for (uint32_t k = lo; k < hi; k++) {
		if (x < middle && (y == hi || !neighbours_is_before(&from[y], &from[x])))
			to[k] = from[x++];
		else
			to[k] = from[y++];
	}
}

static uint32_t neighbours_min(uint32_t x, uint32_t y)
{
	return x < y ? x : y;
}

/* Stable. */
static void neighbours_sort(struct neighbours *list)
{
	uint32_t n = list->n;

	for (uint32_t i = 0; i < n; i += RUN)
		neighbours_insertion_sort(list->at + i, neighbours_min(RUN, n - i));
	for (uint32_t width = RUN; width < n; width *= 2) {
		struct neighbour *from = list->at;

		for (uint32_t i = 0; i < n; i += 2 * width)
			neighbours_merge(from, list->spare, i, neighbours_min(i + width, n),
					 neighbours_min(i + 2 * width, n));
		list->at = list->spare;
		list->spare = from;
	}
}

struct neighbours neighbours_make(const struct graph *graph, struct arena *mem)
{
	uint32_t longest = 0;

	for (sym_id s = 0; s < graph->nnodes; s++) {
		uint32_t in = graph->in[s + 1] - graph->in[s],
			 out = graph->out[s + 1] - graph->out[s];
		uint32_t more = in > out ? in : out;

		longest = more > longest ? more : longest;
	}
	return (struct neighbours){
		.at = arena_array(mem, struct neighbour, (size_t)longest + 1),
		.spare = arena_array(mem, struct neighbour, (size_t)longest + 1),
	};
}

/* Whether a line of an arc would say nothing: pairs on stacks have time one way or the other. */
static bool neighbours_is_idle(const struct analysis *a, const struct arc_time *time, uint32_t arc)
{
	return a->stacks && a->graph.arc[arc].ncalls == 0 && a->program->calls.n == 0 &&
	       time[arc].self + time[arc].children == 0.0;
}

bool neighbours_is_outside(const struct analysis *a, uint32_t arc)
{
	const struct arc_time *up = &a->weights.arc[arc];

	return a->stacks && a->graph.arc[arc].from == a->stacks->start &&
	       up->self + up->children == 0.0;
}

/* The graph has the arc that appeared last first; the sort keeps what is alike as it was. */
void neighbours_callers(struct neighbours *list, const struct analysis *a, sym_id s)
{
	const struct arc_time *root = a->weights.root ? &a->weights.root[s] : NULL;
	uint32_t cycle = a->cycles.of_node[s];

	list->n = 0;
	list->time = a->weights.arc;
	for (uint32_t i = a->graph.in [s + 1]; i-- > a->graph.in[s];) {
		uint32_t arc = a->graph.in_arc[i];

		if (!neighbours_is_idle(a, list->time, arc))
			list->at[list->n++] = neighbours_describe(a, list->time, arc, s, cycle);
	}
	if (root && root->self + root->children > 0.0)
		list->at[list->n++] = (struct neighbour){ .rank = neighbours_rank(root),
							  .arc = NEIGHBOURS_ROOT,
							  .other = s,
							  .kind = BY_OTHERS };
	neighbours_sort(list);
}

void neighbours_callees(struct neighbours *list, const struct analysis *a, sym_id s)
{
	uint32_t cycle = a->cycles.of_node[s];

	list->n = 0;
	list->time = a->weights.below;
	for (uint32_t i = a->graph.out[s + 1]; i-- > a->graph.out[s];) {
		struct neighbour arc;

		if (neighbours_is_idle(a, list->time, i) || neighbours_is_outside(a, i))
			continue;
		arc = neighbours_describe(a, list->time, i, s, cycle);
		arc.rank = ~arc.rank;
		arc.calls = ~arc.calls;
		list->at[list->n++] = arc;
	}
	neighbours_sort(list);
}
