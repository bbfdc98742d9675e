/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building compressed rows by counting sorts. Linear in nodes and arcs. */
#include "config.h"

#include "analysis/graph.h"

/* Turns counts at row[n + 1] into starts; row has nnodes + 1 entries. */
static void graph_starts_from_counts(uint32_t *row, uint32_t nnodes)
{
	for (uint32_t n = 0; n < nnodes; n++)
		row[n + 1] += row[n];
}

/*
 * Adds repeated arcs up: the sums land on the first of each kind, whose indices, in order of
 * appearance, are the result's first *nkept elements. Rows of one caller are made by a counting
 * sort; within a row, last_of[callee] finds the earlier arc of the pair.
 */
static uint32_t *graph_merge_repeats(uint32_t nnodes, struct arc *arcs, size_t n, uint32_t *nkept,
				     struct arena *scratch)
{
	uint32_t *row = arena_array(scratch, uint32_t, (size_t)nnodes + 2);
	uint32_t *by_caller = arena_array(scratch, uint32_t, n);
	uint32_t *mark = arena_array(scratch, uint32_t, nnodes);
	unsigned char *repeat = arena_array(scratch, unsigned char, n);
	uint32_t *kept = by_caller;

	for (size_t i = 0; i < n; i++)
		row[arcs[i].from + 2]++;
	graph_starts_from_counts(row + 1, nnodes);
	for (uint32_t i = 0; i < n; i++)
		by_caller[row[arcs[i].from + 1]++] = i;

	for (uint32_t caller = 0; caller < nnodes; caller++) {
		for (uint32_t k = row[caller]; k < row[caller + 1]; k++) {
			uint32_t i = by_caller[k];
			uint32_t *first =
				&mark[arcs[i].to]; /* index plus 1, of this caller or stale */

			if (*first && arcs[*first - 1].from == caller) {
				arcs[*first - 1].ncalls += arcs[i].ncalls;
				repeat[i] = 1;
			} else {
				*first = i + 1;
			}
		}
	}
	*nkept = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (!repeat[i])
			kept[(*nkept)++] = i;
	}
	return kept;
}

struct graph graph_build(uint32_t nnodes, const struct arc *arcs, size_t n, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t *out = arena_array(mem, uint32_t, (size_t)nnodes + 1);
	uint32_t *in = arena_array(mem, uint32_t, (size_t)nnodes + 1);
	struct arc *sums = arena_array(&scratch, struct arc, n);
	uint32_t *fill = arena_array(&scratch, uint32_t, nnodes);
	uint32_t *kept, *place, *in_arc, narcs; /* place[k]: the index of the k-th arc to appear */
	struct arc *arc;

	for (size_t i = 0; i < n; i++)
		sums[i] = arcs[i];
	kept = graph_merge_repeats(nnodes, sums, n, &narcs, &scratch);

	arc = arena_array(mem, struct arc, narcs);
	in_arc = arena_array(mem, uint32_t, narcs);
	place = arena_array(mem, uint32_t, narcs);
	for (uint32_t k = 0; k < narcs; k++) {
		out[sums[kept[k]].from + 1]++;
		in[sums[kept[k]].to + 1]++;
	}
	graph_starts_from_counts(out, nnodes);
	graph_starts_from_counts(in, nnodes);

	/* From the last to the first: that is the order within rows. */
	for (uint32_t k = narcs; k-- > 0;) {
		const struct arc *sum = &sums[kept[k]];

		place[k] = out[sum->from] + fill[sum->from]++;
		arc[place[k]] = *sum;
	}
	for (uint32_t n_ = 0; n_ < nnodes; n_++)
		fill[n_] = 0;
	for (uint32_t k = narcs; k-- > 0;) {
		sym_id to = sums[kept[k]].to;

		in_arc[in[to] + fill[to]++] = place[k];
	}
	arena_free(&scratch);
	return (struct graph){ nnodes, narcs, arc, out, in, in_arc, place };
}
