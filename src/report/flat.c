/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the flat profile. */
#include "config.h"

#include "base/parallel_output.h"
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

enum { COUNT_WIDTH = PREFIX_WIDTH };

/* What a narrow terminal has no room for beside intervals, in the order in which it is left out. */
enum flat_column { FLAT_CALLS, FLAT_CUMULATIVE, FLAT_TIME_INTERVAL, FLAT_SELF, NFLAT_COLUMNS };

static const unsigned char flat_width[NFLAT_COLUMNS] = {
	[FLAT_CALLS] = 3 * (1 + COUNT_WIDTH),
	[FLAT_CUMULATIVE] = 10,
	[FLAT_TIME_INTERVAL] = 1 + INTERVALS_WIDTH,
	[FLAT_SELF] = 1 + COUNT_WIDTH,
};

/* Columns that are always there, a share and its interval, and the least for names. */
enum { FLAT_KEPT = 6 + 1 + INTERVALS_WIDTH + 2, FLAT_NAMES = 18 };

struct flat_fit {
	bool hides[NFLAT_COLUMNS];
	uint32_t room; /* columns for names; TEXT_ALL: no limit */
};

enum { NEAR = 8, FAR = 16 }; /* how many rows ahead data are prefetched */

/* Chooses the columns that fit the terminal. GNU gprof's report, and that with -b, have all. */
static struct flat_fit flat_fit(const struct text *t)
{
	struct flat_fit fit = { .room = TEXT_ALL };
	uint32_t used = FLAT_KEPT, columns = t->view->columns;

	if (columns == 0 || !intervals_shown(t) || t->opt->brief || t->opt->traditional)
		return fit;
	for (int i = 0; i < NFLAT_COLUMNS; i++)
		used += flat_width[i];
	for (int i = 0; i < NFLAT_COLUMNS && used + FLAT_NAMES > columns; i++) {
		used -= flat_width[i];
		fit.hides[i] = true;
	}
	fit.room = columns > used + FLAT_NAMES / 2 ? columns - used : FLAT_NAMES / 2;
	return fit;
}

static const struct explanation *flat_explain(const struct text *t)
{
	return t->a->costs.origin.measured ? &flat_measured : &flat_explanation;
}

static void flat_write_title(const struct text *t, struct output *out)
{
	double total = t->a->costs.total;

	if (t->opt->traditional && !t->opt->brief) {
		text_heading(out, STYLE_TITLE,
			     t->a->costs.origin.measured ? "\n\n\nflat profile, from call stacks:\n"
							 : "\n\n\nflat profile:\n");
		text_explain(t, flat_explain(t), out);
	}
	if (!t->opt->traditional) {
		text_heading(out, STYLE_TITLE,
			     t->a->costs.origin.measured ? "Flat profile, from call stacks:\n\n"
							 : "Flat profile:\n\n");
		text_unit_line(t, TEXT_OF_SELF, out);
		if (total <= 0.0)
			output_text(out, " no time accumulated\n\n");
		return;
	}
	text_granularity_line(t, total, "no time accumulated", TEXT_OF_SELF, out);
}

static void flat_write_column_heads(const struct text *t, const struct prefix *prefix,
				    const struct flat_fit *fit, struct output *out)
{
	char per_call[] = { prefix->letter, t->abbrev, '/', 'c', 'a', 'l', 'l', '\0' };
	int interval = intervals_shown(t) ? 1 + INTERVALS_WIDTH : 0;
	int time_interval = fit->hides[FLAT_TIME_INTERVAL] ? 0 : interval;
	const char *off = interval ? "+-   " : "";

	output_format(out, "%5.5s%*s", "%  ", interval, off);
	if (!fit->hides[FLAT_CUMULATIVE])
		output_format(out, " %10.10s", "cumulative");
	if (!fit->hides[FLAT_SELF])
		output_format(out, " %8.8s", "self  ");
	output_format(out, "%*s", time_interval, time_interval ? off : "");
	if (!fit->hides[FLAT_CALLS])
		output_format(out, " %8.8s %8.8s %8.8s", "", "self  ", "total ");
	output_format(out, "  %-8.8s\n", "");
	output_style(out, STYLE_COLUMNS);
	output_format(out, "%5.5s%*s", "time", interval, "");
	if (!fit->hides[FLAT_CUMULATIVE])
		output_format(out, " %9.9s ", t->dimension);
	if (!fit->hides[FLAT_SELF])
		output_format(out, " %8.8s", t->dimension);
	output_format(out, "%*s", time_interval, "");
	if (!fit->hides[FLAT_CALLS])
		output_format(out, " %8.8s %8.8s %8.8s", "calls", per_call, per_call);
	output_format(out, "  %-8.8s", "name");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

struct flat_row {
	sym_id s;
	double running; /* time of this row and those above it */
	struct intervals_figure figure;
	bool unsure; /* it is uncertain whether it belongs above the next row */
	struct intervals_column share, time;
	struct flat_fit fit;
};

/* The time of a row with its interval, copied from the row above if both have the same time. */
static struct intervals_figure flat_figure(const struct text *t, sym_id s,
					   const struct intervals_figure *above)
{
	const struct analysis *a = t->a;

	if (above && a->confidence.nfiles == 0 && above->ticks == a->costs.self[s])
		return *above;
	return intervals_figure(t, a->costs.self[s], a->costs.total,
				confidence_files(a->confidence.self, s));
}

static void flat_write_times(const struct text *t, struct flat_row *row, struct output *out)
{
	if (!row->fit.hides[FLAT_CUMULATIVE]) {
		output_char(out, ' ');
		output_fixed(out, row->running / t->rate, t->opt->traditional ? 10 : 9, 2);
	}
	if (!row->fit.hides[FLAT_SELF]) {
		output_char(out, ' ');
		output_fixed(out, t->a->costs.self[row->s] / t->rate, COUNT_WIDTH, 2);
	}
	if (intervals_shown(t) && !row->fit.hides[FLAT_TIME_INTERVAL])
		intervals_write(&row->time, &row->figure, out);
}

static void flat_write_row(const struct text *t, struct flat_row *row, const struct prefix *prefix,
			   struct output *out)
{
	const struct analysis *a = t->a;
	double base = a->costs.total > 0.0 ? a->costs.total : 1.0, self = a->costs.self[row->s];
	bool old = t->opt->traditional, hot = out->styled && text_is_hot(self, a->costs.total);

	if (hot)
		output_style(out, STYLE_HOT);
	output_fixed(out, 100.0 * self / base, old ? 5 : 6, old ? 1 : 2);
	if (intervals_shown(t))
		intervals_write(&row->share, &row->figure, out);
	flat_write_times(t, row, out);
	if (!row->fit.hides[FLAT_CALLS])
		prefix_write_calls(t, row->s, prefix,
				   (const double[]){ self, self + a->costs.children[row->s] }, 3,
				   out);
	output_bytes(out, row->unsure ? " ~" : "  ", 2);
	if (old && hot) {
		labels_styled_graph_name(t, row->s, TEXT_ALL, out);
	} else if (old) {
		labels_graph_name(t, row->s, TEXT_ALL, out);
	} else {
		labels_name_within(t, row->s, row->fit.room, out);
		if (hot)
			output_style(out, STYLE_PLAIN);
		output_char(out, '\n');
	}
}

/* The rows of the list, and the state of one thread. */
struct flat_writer {
	const struct text *t;
	const struct prefix *prefix;
	const sym_id *rows;
	uint32_t nrows;
	const double *running; /* time of the rows above each chunk */
	struct flat_row row;   /* current row */
};

static uint32_t flat_chunk_end(const struct flat_writer *w, size_t chunk)
{
	size_t end = (chunk + 1) * PARALLEL_OUTPUT_LINES;

	return end < w->nrows ? (uint32_t)end : w->nrows;
}

static size_t flat_chunk_lines(const void *writer, size_t chunk)
{
	return flat_chunk_end(writer, chunk) - chunk * PARALLEL_OUTPUT_LINES;
}

static void flat_look_ahead(const struct text *t, const struct flat_writer *w, uint32_t i)
{
	if (i + FAR < w->nrows) {
		sym_id s = w->rows[i + FAR];

		__builtin_prefetch(&t->a->costs.self[s]);
		__builtin_prefetch(&t->a->costs.children[s]);
		__builtin_prefetch(&t->a->costs.calls.outer[s]);
		labels_prefetch(t, s);
		labels_prefetch_name(t, w->rows[i + NEAR]);
	}
}

static void flat_write_chunk(void *writer, size_t chunk, struct arena *mem, struct output *out)
{
	struct flat_writer *w = writer;
	struct text t = mem ? labels_text_of_second(w->t, mem) : *w->t;
	uint32_t first = (uint32_t)chunk * PARALLEL_OUTPUT_LINES, end = flat_chunk_end(w, chunk);
	struct intervals_figure next = flat_figure(&t, w->rows[first], NULL);
	struct flat_row *row = &w->row;

	row->running = w->running[chunk];
	for (uint32_t i = first; i < end; i++) {
		flat_look_ahead(&t, w, i);
		row->s = w->rows[i];
		row->running += t.a->costs.self[row->s];
		row->figure = next;
		if (intervals_shown(&t) && i + 1 < w->nrows)
			next = flat_figure(&t, w->rows[i + 1], &row->figure);
		row->unsure = i + 1 < w->nrows && intervals_unsure(&row->figure, &next);
		flat_write_row(&t, row, w->prefix, out);
	}
}

/* Running sums, added row by row so that rounding does not depend on threads. */
static const double *flat_sum_up(const double *self, const sym_id *rows, uint32_t nrows,
				 struct arena *mem)
{
	double *running = arena_array(mem, double, nrows / PARALLEL_OUTPUT_LINES + 1), sum = 0.0;

	for (uint32_t i = 0; i < nrows; i++) {
		if (i % PARALLEL_OUTPUT_LINES == 0)
			running[i / PARALLEL_OUTPUT_LINES] = sum;
		if (i + FAR < nrows)
			__builtin_prefetch(&self[rows[i + FAR]]);
		sum += self[rows[i]];
	}
	return running;
}

static void flat_write_rows(const struct text *t, const struct prefix *prefix,
			    const struct flat_fit *fit, const sym_id *rows, uint32_t nrows,
			    struct output *out)
{
	struct arena scratch = arena_scratch(t->mem);
	struct flat_writer one = {
		.t = t,
		.prefix = prefix,
		.rows = rows,
		.nrows = nrows,
		.running = flat_sum_up(t->a->costs.self, rows, nrows, &scratch),
		.row = { .share = intervals_column(t, 100.0),
			 .time = intervals_column(t, t->a->costs.total / t->rate),
			 .fit = *fit },
	};
	struct flat_writer other = one;
	struct parallel_output chunks = {
		.n = nrows / PARALLEL_OUTPUT_LINES + (nrows % PARALLEL_OUTPUT_LINES != 0),
		.alone = !labels_are_read_only(t),
		.progress = t->progress,
		.lines = flat_chunk_lines,
		.format = flat_write_chunk,
		.writer = { &one, &other },
	};

	parallel_output_write(&chunks, out, &scratch);
	arena_free(&scratch);
}

void flat_write(const struct text *t, struct output *out)
{
	const struct analysis *a = t->a;
	const struct prefix *prefix = prefix_choose(t);
	struct arena scratch = arena_scratch(t->mem);
	sym_id *rows = arena_array(&scratch, sym_id, a->graph.nnodes);
	struct flat_fit fit = flat_fit(t);
	uint32_t nrows = 0;

	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (bitset_has(a->selection.flat, s) && entries_lists(a, t->opt, s))
			rows[nrows++] = s;
	}
	entries_sort(t, rows, nrows, a->costs.self, false, &scratch);

	progress_step(t->progress, "writing the flat profile", nrows);
	text_page(out);
	flat_write_title(t, out);
	flat_write_column_heads(t, prefix, &fit, out);
	flat_write_rows(t, prefix, &fit, rows, nrows, out);
	if (!t->opt->traditional && !t->opt->brief)
		text_explain(t, flat_explain(t), out);
	arena_free(&scratch);
}
