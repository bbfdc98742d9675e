/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flat profile. */
#include "config.h"

#include "report/entries.h"
#include "report/intervals.h"
#include "report/labels.h"
#include "report/prefix.h"
#include "report/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FLAT_TITLE "How to read the flat profile\n"
#define FLAT_COLUMNS                                                                              \
	"\n"                                                                                      \
	" % time       share of all samples that fell into this function itself\n"                \
	" cumulative   time of this function and those above it\n"                                \
	" self         time in this function itself; the list is sorted by it\n"                  \
	" calls        how often it was called, recursion aside; blank if that was not counted\n" \
	" self/call    average time of one call in the function itself\n"                         \
	" total/call   average time of one call, functions that it called included\n"             \
	" name         the function\n"

static const struct explanation flat_explanation = {
	FLAT_TITLE,
	FLAT_COLUMNS,
	"Times are samples: n of them are uncertain by about the square root of n. Time per call\n"
	"with callees assumes that every call of a function costs the same.\n",
	INTERVALS_COLUMNS INTERVALS_ORDER INTERVALS_MEANING
	"Times of single calls are off as self is.\n",
};

static const struct explanation flat_measured = {
	FLAT_TITLE,
	FLAT_COLUMNS "\n"
		     "Names in brackets stand for whole libraries, and for code without symbols.\n",
	"Times are samples: n of them are uncertain by about the square root of n. Time with callees\n"
	"is that of all samples whose call stacks have the function.\n",
	INTERVALS_COLUMNS INTERVALS_ORDER INTERVALS_MEANING
	"Times of single calls are off as self is.\n",
};

enum { COUNT_WIDTH = 8 };
enum { NEAR = 8, FAR = 16 }; /* rows ahead */

static const struct explanation *flat_explain(const struct text *t)
{
	return t->a->stacks ? &flat_measured : &flat_explanation;
}

static void flat_write_title(const struct text *t, struct output *out)
{
	double total = t->a->ticks.total;

	if (t->opt->traditional && !t->opt->brief) {
		text_heading(out, STYLE_TITLE,
			     t->a->stacks ? "\n\n\nflat profile, from call stacks:\n"
					  : "\n\n\nflat profile:\n");
		text_explain(t, flat_explain(t), out);
	}
	if (!t->opt->traditional) {
		text_heading(out, STYLE_TITLE,
			     t->a->stacks ? "Flat profile, from call stacks:\n\n"
					  : "Flat profile:\n\n");
		text_unit_line(t, TEXT_OF_SELF, out);
		if (total <= 0.0)
			output_text(out, " no time accumulated\n\n");
		return;
	}
	text_granularity_line(t, total, "no time accumulated", TEXT_OF_SELF, out);
}

static void flat_write_column_heads(const struct text *t, const struct prefix *prefix,
				    struct output *out)
{
	char per_call[] = { prefix->letter, t->abbrev, '/', 'c', 'a', 'l', 'l', '\0' };
	int interval = intervals_shown(t) ? 1 + INTERVALS_WIDTH : 0;
	const char *off = interval ? "+-   " : "";

	output_format(out, "%5.5s%*s %10.10s %8.8s%*s %8.8s %8.8s %8.8s  %-8.8s\n", "%  ", interval,
		      off, "cumulative", "self  ", interval, off, "", "self  ", "total ", "");
	output_style(out, STYLE_COLUMNS);
	output_format(out, "%5.5s%*s %9.9s  %8.8s%*s %8.8s %8.8s %8.8s  %-8.8s", "time", interval,
		      "", t->dimension, t->dimension, interval, "", "calls", per_call, per_call,
		      "name");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

struct flat_row {
	sym_id s;
	double running; /* time of this row and those above it */
	struct intervals_figure figure;
	bool unsure; /* whether it belongs above the next one */
	struct intervals_column share, time;
};

/* Of those that are the same, rows share a figure. */
static struct intervals_figure flat_figure(const struct text *t, sym_id s,
					   const struct intervals_figure *above)
{
	const struct analysis *a = t->a;

	if (above && a->confidence.nfiles == 0 && above->ticks == a->ticks.self[s])
		return *above;
	return intervals_figure(t, a->ticks.self[s], a->ticks.total,
				confidence_files(a->confidence.self, s));
}

/* Calls and time of one, as far as they are known. */
static void flat_write_calls(const struct text *t, sym_id s, const struct prefix *prefix,
			     struct output *out)
{
	const struct analysis *a = t->a;
	double self = a->ticks.self[s], total = self + a->weights.inherited[s];
	double ncalls = (double)a->calls.outer[s];

	if (a->calls.outer[s] == 0) {
		output_blanks(out, 3 * (1 + COUNT_WIDTH));
		return;
	}
	output_char(out, ' ');
	output_uint(out, a->calls.outer[s], COUNT_WIDTH);
	if (!text_has_call_times(t)) {
		output_blanks(out, 2 * (1 + COUNT_WIDTH));
		return;
	}
	output_char(out, ' ');
	output_fixed(out, prefix->per_unit * self / t->rate / ncalls, COUNT_WIDTH, 2);
	output_char(out, ' ');
	output_fixed(out, prefix->per_unit * total / t->rate / ncalls, COUNT_WIDTH, 2);
}

static void flat_write_row(const struct text *t, struct flat_row *row, const struct prefix *prefix,
			   struct output *out)
{
	const struct analysis *a = t->a;
	double base = a->ticks.total > 0.0 ? a->ticks.total : 1.0, self = a->ticks.self[row->s];
	bool old = t->opt->traditional, hot = out->styled && text_is_hot(self, a->ticks.total);

	if (hot)
		output_style(out, STYLE_HOT);
	output_fixed(out, 100.0 * self / base, old ? 5 : 6, old ? 1 : 2);
	if (intervals_shown(t))
		intervals_write(&row->share, &row->figure, out);
	output_char(out, ' ');
	output_fixed(out, row->running / t->rate, old ? 10 : 9, 2);
	output_char(out, ' ');
	output_fixed(out, self / t->rate, COUNT_WIDTH, 2);
	if (intervals_shown(t))
		intervals_write(&row->time, &row->figure, out);
	flat_write_calls(t, row->s, prefix, out);
	output_bytes(out, row->unsure ? " ~" : "  ", 2);
	if (old && hot) {
		labels_styled_graph_name(t, row->s, TEXT_ALL, out);
	} else if (old) {
		labels_graph_name(t, row->s, TEXT_ALL, out);
	} else {
		labels_name(t, row->s, out);
		if (hot)
			output_style(out, STYLE_PLAIN);
		output_char(out, '\n');
	}
}

void flat_write(const struct text *t, struct output *out)
{
	const struct analysis *a = t->a;
	const struct prefix *prefix = prefix_choose(t);
	struct arena scratch = arena_scratch(t->mem);
	sym_id *rows = arena_array(&scratch, sym_id, a->graph.nnodes);
	struct flat_row row = { .share = intervals_column(t, 100.0),
				.time = intervals_column(t, a->ticks.total / t->rate) };
	struct intervals_figure next = { .ticks = 0.0 };
	uint32_t nrows = 0;

	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (bitset_has(a->selection.flat, s) && entries_lists(a, t->opt, s))
			rows[nrows++] = s;
	}
	entries_sort(t, rows, nrows, a->ticks.self, false, &scratch);

	progress_step(t->progress, "writing the flat profile", nrows);
	text_page(out);
	flat_write_title(t, out);
	flat_write_column_heads(t, prefix, out);
	if (nrows > 0)
		next = flat_figure(t, rows[0], NULL);
	for (uint32_t i = 0; i < nrows; i++) {
		if (i + FAR < nrows) {
			__builtin_prefetch(&a->ticks.self[rows[i + FAR]]);
			__builtin_prefetch(&a->weights.inherited[rows[i + FAR]]);
			__builtin_prefetch(&a->calls.outer[rows[i + FAR]]);
			labels_expect(t, rows[i + FAR]);
			labels_expect_name(t, rows[i + NEAR]);
		}
		progress_at(t->progress, i);
		row.s = rows[i];
		row.running += a->ticks.self[row.s];
		row.figure = next;
		if (intervals_shown(t) && i + 1 < nrows)
			next = flat_figure(t, rows[i + 1], &row.figure);
		row.unsure = i + 1 < nrows && intervals_unsure(&row.figure, &next);
		flat_write_row(t, &row, prefix, out);
	}
	if (!t->opt->traditional && !t->opt->brief)
		text_explain(t, flat_explain(t), out);
	arena_free(&scratch);
}
