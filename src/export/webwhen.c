/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slices of recordings may have different lengths. The columns are as long as the longest
 * slices, or longer; a slice is in the column that has its middle, as for --from and --to.
 */
#include "config.h"

#include "export/webwhen.h"

#include "base/radix.h"

/*
 * The most columns, and the most entries of all rows together: ticks of a path in a column. Rather
 * than fewer than LEAST_COLUMNS there are none.
 */
enum { MOST_COLUMNS = 800, LEAST_COLUMNS = 16, MOST_ENTRIES = 150 * 1000 };

static const double webwhen_ns_per_s = 1e9;

struct webwhen_entry {
	uint32_t row, column, frame;
	uint64_t ticks, waiting;
};

struct webwhen {
	const struct export_view *e;
	const struct webparts *parts;
	const struct webpaths *paths;
	uint64_t first, last, length; /* edges of all columns, and the length of one, in ns */
	uint32_t ncolumns;
	uint32_t nnodes;   /* of the largest slice */
	uint64_t timeless; /* ticks and waiting in no slice, so that their time is not known */
	ARRAY(struct webwhen_entry) entries;
	struct arena *mem;
};

bool webwhen_is_known(const struct export_view *e)
{
	for (uint32_t i = 0; e->trees && i < e->trees->nthreads; i++) {
		const struct thread_trees *of = &e->trees->thread[i];

		if (of->nslices > 0 && of->slice[0].start != SLICE_TIMELESS)
			return true;
	}
	return false;
}

/* Sets the columns: all slices are between the first and the last. */
static void webwhen_set_columns(struct webwhen *w)
{
	const struct call_trees *trees = w->e->trees;
	uint64_t least;

	w->first = UINT64_MAX;
	for (uint32_t i = 0; i < trees->nthreads; i++) {
		for (uint32_t k = 0; k < trees->thread[i].nslices; k++) {
			const struct slice_trees *slice = &trees->thread[i].slice[k];

			if (w->nnodes < slice->functions.n)
				w->nnodes = slice->functions.n;
			if (slice->start == SLICE_TIMELESS)
				continue;
			w->first = slice->start < w->first ? slice->start : w->first;
			w->last = slice->end > w->last ? slice->end : w->last;
			if (slice->end - slice->start > w->length)
				w->length = slice->end - slice->start;
		}
	}
	least = (w->last - w->first) / MOST_COLUMNS + 1;
	w->length = w->length > least ? w->length : least;
	w->ncolumns = (uint32_t)((w->last - w->first + w->length / 2) / w->length);
	w->ncolumns = w->ncolumns < 1 ? 1 : w->ncolumns > MOST_COLUMNS ? MOST_COLUMNS : w->ncolumns;
}

/* Adds what the thread did in a slice; `place` has room for each node of it. */
static void webwhen_add_slice(struct webwhen *w, uint32_t thread, const struct slice_trees *slice,
			      uint32_t *place)
{
	const struct stacks *stacks = &slice->functions;
	uint64_t middle = slice->start + (slice->end - slice->start) / 2;
	uint32_t column =
		slice->start == SLICE_TIMELESS ? 0 : (uint32_t)((middle - w->first) / w->length);

	column = column < w->ncolumns ? column : w->ncolumns - 1;
	if (slice->start == SLICE_TIMELESS) {
		w->timeless += stacks->samples;
		return;
	}
	webpaths_place(w->paths, stacks, place);
	for (uint32_t i = 0; i < stacks->n; i++) {
		const struct stack_node *node = &stacks->node[i];

		if (place[i] == INDEX_NONE || (node->samples == 0 && node->waiting == 0))
			continue;
		array_push(w->mem, &w->entries) =
			(struct webwhen_entry){ w->parts->n > 0 ? w->parts->of[thread] : 0, column,
						place[i], node->samples, node->waiting };
	}
}

static void webwhen_add_slices(struct webwhen *w)
{
	const struct call_trees *trees = w->e->trees;
	uint32_t *place = arena_array(w->mem, uint32_t, w->nnodes);

	for (uint32_t i = 0; i < trees->nthreads; i++) {
		for (uint32_t k = 0; k < trees->thread[i].nslices; k++)
			webwhen_add_slice(w, i, &trees->thread[i].slice[k], place);
	}
}

static uint64_t webwhen_order(const struct webwhen_entry *x)
{
	return (uint64_t)x->row << 56 | (uint64_t)x->column << 32 | x->frame;
}

/* Sorts the entries by row, column and frame, and adds up those that have all of these in common.
 */
static void webwhen_merge(struct webwhen *w)
{
	struct arena scratch = arena_scratch(w->mem);
	struct keyed *order = arena_array(&scratch, struct keyed, w->entries.n);
	struct webwhen_entry *merged = arena_array(w->mem, struct webwhen_entry, w->entries.n);
	size_t n = 0;

	for (uint32_t i = 0; i < w->entries.n; i++)
		order[i] = (struct keyed){ webwhen_order(&w->entries.at[i]), i };
	radix_sort_keyed(order, w->entries.n, &scratch);
	for (size_t i = 0; i < w->entries.n; i++) {
		const struct webwhen_entry *from = &w->entries.at[order[i].id];

		if (n == 0 || webwhen_order(&merged[n - 1]) != order[i].key) {
			merged[n++] = *from;
		} else {
			merged[n - 1].ticks += from->ticks;
			merged[n - 1].waiting += from->waiting;
		}
	}
	w->entries.at = merged;
	w->entries.n = w->entries.max = n;
	arena_free(&scratch);
}

/* Makes columns twice as long. */
static void webwhen_halve(struct webwhen *w)
{
	for (size_t i = 0; i < w->entries.n; i++)
		w->entries.at[i].column /= 2;
	w->length *= 2;
	w->ncolumns = (w->ncolumns + 1) / 2;
}

static void webwhen_write_row(const struct webwhen *w, uint32_t row, size_t *i, struct json *json)
{
	const struct webwhen_entry *x = w->entries.at;
	unsigned each = w->e->integer_costs->waiting ? 3 : 2;
	uint32_t column = 0;

	json_begin_array(json_next_line(json), NULL);
	while (*i < w->entries.n && x[*i].row == row) {
		size_t end = *i;
		uint32_t frame = 0;

		while (end < w->entries.n && x[end].row == row && x[end].column == x[*i].column)
			end++;
		json_uint(json, NULL, x[*i].column - column);
		json_uint(json, NULL, each * (end - *i));
		column = x[*i].column;
		for (; *i < end; ++*i) {
			json_uint(json, NULL, x[*i].frame - frame);
			json_uint(json, NULL, x[*i].ticks);
			if (each == 3)
				json_uint(json, NULL, x[*i].waiting);
			frame = x[*i].frame;
		}
	}
	json_end(json);
}

void webwhen_write(const struct export_view *e, const struct webparts *parts,
		   const struct webpaths *paths, struct json *json)
{
	struct webwhen w = { .e = e, .parts = parts, .paths = paths, .mem = e->mem };
	uint32_t nrows = parts->n > 0 ? parts->n : 1;
	size_t at = 0;

	webwhen_set_columns(&w);
	webwhen_add_slices(&w);
	webwhen_merge(&w);
	while (w.entries.n > MOST_ENTRIES && w.ncolumns >= 2 * LEAST_COLUMNS) {
		webwhen_halve(&w);
		webwhen_merge(&w);
	}
	if (w.entries.n > MOST_ENTRIES)
		return;
	json_begin_object(json_line(json), "when");
	json_format(json, "start", "%.9g", (double)w.first / webwhen_ns_per_s);
	json_format(json, "step", "%.9g", (double)w.length / webwhen_ns_per_s);
	json_uint(json, "columns", w.ncolumns);
	json_uint(json, "timeless", w.timeless);
	json_begin_array(json, "rows");
	for (uint32_t row = 0; row < nrows; row++)
		webwhen_write_row(&w, row, &at, json);
	json_end(json);
	json_end(json);
}
