/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorting the arcs of a function. Most lists are short and there are very many, so the order is
 * encoded in two numbers per arc that are compared in place: qsort() took a quarter of the time of
 * a report of 10^6 arcs. Long lists are radix sorted by the highest bits in which they differ until
 * they are short: merge sort takes three times as long.
 */
#include "config.h"

#include "report/neighbours.h"

#include "base/radix.h"

enum { RUN = 16, MOST_BITS = 10, AHEAD = 8 };

/* This bit sorts the ranks of callers or callees after all others; no time has it set. */
#define BEHIND (UINT64_C(1) << 63)

static uint64_t neighbours_rank(const struct arc_cost *time)
{
	return ~radix_key_descending(costs_arc_sum(time)) | BEHIND;
}

static inline struct neighbour neighbours_describe(const struct analysis *a,
						   const struct arc_cost *time, uint32_t arc_id,
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

/* The digit of a radix sort: bits of ranks, or of calls if all ranks are equal. */
struct neighbours_digit {
	bool of_calls;
	uint64_t least; /* subtracted first, so that digits begin at 0 */
	unsigned shift, bits;
};

static uint32_t neighbours_digit(const struct neighbour *x, const struct neighbours_digit *digit)
{
	uint64_t key = digit->of_calls ? x->calls : x->rank;

	return (uint32_t)((key - digit->least) >> digit->shift);
}

/* Sets *digit to the highest bits in which the n calls or ranks differ, about log2(n) of them.
 * Returns whether any differ. */
static bool neighbours_differ(const struct neighbour *at, uint32_t n, bool calls,
			      struct neighbours_digit *digit)
{
	uint64_t least = UINT64_MAX, most = 0;
	unsigned bits = 32 - (unsigned)__builtin_clz(n), differ;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t key = calls ? at[i].calls : at[i].rank;

		least = key < least ? key : least;
		most = key > most ? key : most;
	}
	if (least == most)
		return false;
	differ = 64 - (unsigned)__builtin_clzll(most - least);
	bits = bits < MOST_BITS ? bits : MOST_BITS;
	bits = bits < differ ? bits : differ;
	*digit = (struct neighbours_digit){ calls, least, differ - bits, bits };
	return true;
}

/* A stable sort. Its recursion depth is the number of digits, at most 36. */
static void neighbours_sort(struct neighbour *at, struct neighbour *spare, uint32_t n)
{
	uint32_t end[1 << MOST_BITS], sum = 0;
	struct neighbours_digit digit;

	if (n <= RUN) {
		neighbours_insertion_sort(at, n);
		return;
	}
	if (!neighbours_differ(at, n, false, &digit) && !neighbours_differ(at, n, true, &digit))
		return;
	memset(end, 0, sizeof(*end) << digit.bits);
	for (uint32_t i = 0; i < n; i++)
		end[neighbours_digit(&at[i], &digit)]++;
	for (uint32_t v = 0; v < 1U << digit.bits; v++) {
		uint32_t count = end[v];

		end[v] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < n; i++)
		spare[end[neighbours_digit(&at[i], &digit)]++] = at[i];
	memcpy(at, spare, n * sizeof(*at));
	for (uint32_t v = 0, first = 0; v < 1U << digit.bits; first = end[v++]) {
		if (end[v] - first > 1)
			neighbours_sort(at + first, spare, end[v] - first);
	}
}

struct neighbours neighbours_make_room(uint32_t most, struct arena *mem)
{
	/* One more entry than arcs, for the start of a thread. */
	return (struct neighbours){
		.at = arena_unset_array(mem, struct neighbour, (size_t)most + 1),
		.spare = arena_unset_array(mem, struct neighbour, (size_t)most + 1),
	};
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
	return neighbours_make_room(longest, mem);
}

/*
 * Whether the line of an arc would be empty in this direction: a pair of functions on stacks may
 * have time in the other one only.
 */
static bool neighbours_is_idle(const struct analysis *a, const struct arc_cost *time, uint32_t arc)
{
	return a->costs.origin.measured && a->graph.arc[arc].ncalls == 0 &&
	       a->program->calls.n == 0 && costs_arc_sum(&time[arc]) == 0.0;
}

bool neighbours_is_outside(const struct analysis *a, uint32_t arc)
{
	return a->graph.arc[arc].from == a->costs.origin.start &&
	       costs_arc_sum(&a->costs.graph.up[arc]) == 0.0;
}

/* In the graph, the arc that appeared last comes first; the sort is stable and keeps that order. */
void neighbours_callers(struct neighbours *list, const struct analysis *a, sym_id s)
{
	const struct arc_cost *root = a->costs.graph.root ? &a->costs.graph.root[s] : NULL;
	uint32_t cycle = a->cycles.of_node[s], first = a->graph.in[s];

	list->n = 0;
	list->flipped = 0;
	list->time = a->costs.graph.up;
	for (uint32_t i = a->graph.in [s + 1]; i-- > first;) {
		uint32_t arc = a->graph.in_arc[i];

		if (i >= first + AHEAD) {
			uint32_t later = a->graph.in_arc[i - AHEAD];

			__builtin_prefetch(&a->graph.arc[later]);
			__builtin_prefetch(&list->time[later]);
		}
		if (!neighbours_is_idle(a, list->time, arc))
			list->at[list->n++] = neighbours_describe(a, list->time, arc, s, cycle);
	}
	if (root && costs_arc_sum(root) > 0.0)
		list->at[list->n++] = (struct neighbour){ .rank = neighbours_rank(root),
							  .arc = NEIGHBOURS_ROOT,
							  .other = s };
	neighbours_sort(list->at, list->spare, list->n);
}

void neighbours_callees(struct neighbours *list, const struct analysis *a, sym_id s)
{
	uint32_t cycle = a->cycles.of_node[s];

	list->n = 0;
	list->flipped = UINT64_MAX;
	list->time = a->costs.graph.down;
	for (uint32_t i = a->graph.out[s + 1]; i-- > a->graph.out[s];) {
		struct neighbour arc;

		if (neighbours_is_idle(a, list->time, i) || neighbours_is_outside(a, i))
			continue;
		arc = neighbours_describe(a, list->time, i, s, cycle);
		arc.rank ^= list->flipped;
		arc.calls ^= list->flipped;
		list->at[list->n++] = arc;
	}
	neighbours_sort(list->at, list->spare, list->n);
}
