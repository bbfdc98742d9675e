/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Building compressed rows by counting sorts. Linear in nodes and arcs.
 *
 * For 10^7 arcs each array takes 40 to 160 MB, so it is made only when it is needed, and freed as
 * soon as it is not.
 */
#include "config.h"

#include "analysis/graph/graph.h"

#include "base/bitset.h"

enum { AHEAD = 16 };

/* The arcs from which the graph is made. */
struct graph_input {
	uint32_t nnodes;
	const struct arc *arcs; /* in the order of the data */
	uint32_t n;
	uint32_t *by_caller; /* indices of arcs: the arcs of caller c begin at row[c], in the order
				of the data; NULL: the data are in this order */
	uint32_t *row;       /* nnodes + 1 entries */
	struct bitset repeats; /* arcs that have the same ends as an earlier one */
};

/* Turns counts in row[n + 1] into starts of rows; row has nnodes + 1 entries. */
static void graph_starts_from_counts(uint32_t *row, uint32_t nnodes)
{
	for (uint32_t n = 0; n < nnodes; n++)
		row[n + 1] += row[n];
}

/* Groups the arcs by caller. In data files they mostly are already. */
static void graph_group(struct graph_input *in, struct arena *scratch)
{
	uint32_t *row = arena_array(scratch, uint32_t, (size_t)in->nnodes + 2);
	bool grouped = true;

	/* While rows are filled, row[c + 1] is the start of row c. */
	for (uint32_t i = 0; i < in->n; i++) {
		row[in->arcs[i].from + 2]++;
		grouped &= i == 0 || in->arcs[i - 1].from <= in->arcs[i].from;
	}
	graph_starts_from_counts(row + 1, in->nnodes);
	in->row = grouped ? row + 1 : row;
	if (grouped)
		return;
	in->by_caller = arena_unset_array(scratch, uint32_t, in->n);
	for (uint32_t i = 0; i < in->n; i++)
		in->by_caller[row[in->arcs[i].from + 1]++] = i;
}

/* The index of the k-th arc by caller; prefetches a later one. */
static uint32_t graph_next(const struct graph_input *in, uint32_t k)
{
	if (!in->by_caller)
		return k;
	if (k + AHEAD < in->n)
		__builtin_prefetch(&in->arcs[in->by_caller[k + AHEAD]]);
	return in->by_caller[k];
}

/* Marks repeated arcs, and counts the different callees of each caller, in out[caller + 1]. */
static void graph_find_repeats(struct graph_input *in, uint32_t *out, struct arena *scratch)
{
	/* for each callee, its last caller plus 1 */
	uint32_t *last = arena_array(scratch, uint32_t, in->nnodes);

	in->repeats = bitset_empty(scratch, in->n);
	for (uint32_t caller = 0; caller < in->nnodes; caller++) {
		for (uint32_t k = in->row[caller]; k < in->row[caller + 1]; k++) {
			uint32_t i = graph_next(in, k);
			sym_id to = in->arcs[i].to;

			if (last[to] == caller + 1) {
				bitset_add(in->repeats, i);
			} else {
				last[to] = caller + 1;
				out[caller + 1]++;
			}
		}
	}
	arena_release(scratch, last);
}

/*
 * Fills the rows of callers, each from its end, so that the last arc in the data comes first, and
 * adds up repeated arcs. place[i] gets the index of arc i in the graph, unless it is a repeat.
 */
static void graph_fill_rows(const struct graph_input *in, const uint32_t *out, struct arc *arc,
			    uint32_t *place, struct arena *scratch)
{
	uint32_t *of_callee = arena_array(
		scratch, uint32_t, in->nnodes); /* for each callee, its arc in the current row */

	for (uint32_t caller = 0; caller < in->nnodes; caller++) {
		uint32_t at = out[caller + 1];

		for (uint32_t k = in->row[caller]; k < in->row[caller + 1]; k++) {
			uint32_t i = graph_next(in, k);
			const struct arc *from = &in->arcs[i];

			if (bitset_has(in->repeats, i)) {
				arc[of_callee[from->to]].ncalls += from->ncalls;
				continue;
			}
			arc[--at] = *from;
			place[i] = of_callee[from->to] = at;
		}
	}
	arena_release(scratch, of_callee);
}

/* Fills the rows of callees, whose starts are known, the last arc in the data first. */
static void graph_fill_callees(const struct graph_input *in, const uint32_t *place,
			       const uint32_t *start, uint32_t *in_arc, struct arena *scratch)
{
	uint32_t *fill = arena_array(scratch, uint32_t, in->nnodes);

	for (uint32_t i = in->n; i-- > 0;) {
		sym_id to = in->arcs[i].to;

		if (!bitset_has(in->repeats, i))
			in_arc[start[to] + fill[to]++] = place[i];
	}
}

struct graph graph_build(uint32_t nnodes, const struct arc *arcs, size_t n, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct graph_input input = { .nnodes = nnodes, .arcs = arcs, .n = (uint32_t)n };
	uint32_t *out = arena_array(mem, uint32_t, (size_t)nnodes + 1);
	uint32_t *in, *in_arc, *by_age, narcs, nkept = 0;
	struct arc *arc;

	if (n == 0)
		return (struct graph){ .nnodes = nnodes, .out = out, .in = out };
	graph_group(&input, &scratch);
	graph_find_repeats(&input, out, &scratch);
	graph_starts_from_counts(out, nnodes);
	narcs = out[nnodes];
	arc = arena_unset_array(mem, struct arc, narcs);
	/*
	 * At first each arc is at its position in the data, so there are gaps where arcs repeat
	 * others.
	 */
	by_age = arena_unset_array(mem, uint32_t, n);
	graph_fill_rows(&input, out, arc, by_age, &scratch);
	arena_release(&scratch, input.by_caller);

	in = arena_array(mem, uint32_t, (size_t)nnodes + 1);
	for (uint32_t i = 0; i < narcs; i++)
		in[arc[i].to + 1]++;
	graph_starts_from_counts(in, nnodes);
	in_arc = arena_unset_array(mem, uint32_t, narcs);
	graph_fill_callees(&input, by_age, in, in_arc, &scratch);
	for (uint32_t i = 0; i < n; i++) {
		if (!bitset_has(input.repeats, i))
			by_age[nkept++] = by_age[i];
	}
	arena_free(&scratch);
	return (struct graph){ nnodes, narcs, arc, out, in, in_arc, by_age };
}
