/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions sorted by inclusive time, from call stacks. */
#include "config.h"

#include "base/radix.h"
#include "report/entries.h"
#include "report/intervals.h"
#include "report/labels.h"
#include "report/prefix.h"
#include "report/views.h"

#include <math.h>

#include <string.h>

static const struct explanation inclusive_explanation = {
	"How to read the inclusive profile\n",
	"\n"
	" % time       share of all samples with the function on their call stacks\n"
	" inclusive    time in the function and in all that it called; the list is sorted by it\n"
	" self         time in the function itself\n"
	" calls        how often it was called, recursion aside; blank if that was not counted\n"
	" incl./call   average time of one call, functions that it called included\n"
	" self/call    average time of one call in the function itself\n"
	" name         the function; in brackets, a whole library or code without symbols\n",
	"Each sample counts once for a function, however often its stack has the function. Shares\n"
	"overlap, so their sum means nothing.\n",
	INTERVALS_COLUMNS INTERVALS_ORDER INTERVALS_MEANING
	"Callers that broken stacks lack are not in it. Times of single calls are off as inclusive is.\n",
};

static const struct explanation inclusive_waiting = {
	"How to read the inclusive profile\n",
	"\n"
	" % time       share of all time, on the CPU and waiting, with the function on the call stacks\n"
	" inclusive    time on the CPU in the function and in all that it called\n"
	" self         time on the CPU in the function itself\n"
	" waiting      time that threads were blocked in the function or in what it called\n"
	" calls        how often it was called, recursion aside; blank if that was not counted\n"
	" incl./call   average time of one call on the CPU, functions that it called included\n"
	" self/call    average time of one call on the CPU in the function itself\n"
	" name         the function; in brackets, a whole library or code without symbols, or the\n"
	"              system call in which a thread waited\n",
	"The list is sorted by inclusive time and waiting together. Threads wait at the same time,\n"
	"so waiting may be more than the program took. --clock=off shows waiting alone.\n",
	INTERVALS_COLUMNS INTERVALS_MEANING
	"Waiting has one where looks decided by chance in which function threads waited.\n"
	"Callers that broken stacks lack are not in it. Times of single calls are off as inclusive is.\n",
};

enum { COUNT_WIDTH = PREFIX_WIDTH, WAITS_WIDTH = 9, TIMES_WIDTH = 26, NAME_ROOM = 16 };

static double inclusive_waits(const struct text *t, sym_id s)
{
	return t->waits ? t->waits->inclusive[s] : 0.0;
}

/* The sort key of rows: inclusive time, with waiting if that is shown. */
static uint64_t inclusive_key(const struct text *t, sym_id s)
{
	return radix_key_descending(
		text_with_waits(t, costs_inclusive(&t->a->costs, s), inclusive_waits(t, s)));
}

/* The rows with time and those requested, sorted by inclusive time, self time, name. */
static uint32_t inclusive_rows(const struct text *t, uint32_t *rows, const struct arena *mem)
{
	const struct costs *costs = &t->a->costs;
	struct arena scratch = arena_scratch(mem);
	struct keyed *order;
	uint32_t n = 0;

	for (sym_id s = 0; s < t->a->graph.nnodes; s++) {
		if (bitset_has(t->a->selection.inclusive, s) &&
		    (costs_inclusive(costs, s) + inclusive_waits(t, s) > 0.0 || t->opt->zeros))
			rows[n++] = s;
	}
	entries_sort_names(t, rows, n, &scratch);
	order = arena_array(&scratch, struct keyed, n);
	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ radix_key_descending(costs->own[rows[i]]), rows[i] };
	radix_sort_keyed(order, n, &scratch);
	for (uint32_t i = 0; i < n; i++)
		order[i].key = inclusive_key(t, order[i].id);
	radix_sort_keyed(order, n, &scratch);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = order[i].id;
	arena_free(&scratch);
	return n;
}

/* The columns besides times and names. */
struct inclusive_columns {
	bool shares, calls, per_call; /* `shares`: intervals of shares */
	bool waits;                   /* intervals of waiting */
};

/* On a terminal, columns are dropped until there is room for names, times of single calls first.
 * Shares of times that are partly sampled and partly measured have no interval. */
static struct inclusive_columns inclusive_choose(const struct text *t)
{
	uint32_t interval = intervals_shown(t) ? 1 + INTERVALS_WIDTH : 0;
	uint32_t wait = t->waits && t->a->costs.wait_errors.inclusive ? interval : 0;
	uint32_t taken =
		TIMES_WIDTH + NAME_ROOM + interval + (t->waits ? 1 + WAITS_WIDTH : 0) + wait;
	uint32_t share = t->waits ? 0 : interval, count = 1 + COUNT_WIDTH;
	uint32_t room = t->view->columns > taken ? t->view->columns - taken : 0;
	bool all = t->view->columns == 0;
	bool calls = all || analysis_has_calls(t->a);

	return (struct inclusive_columns){
		.waits = wait > 0,
		.shares = share > 0 && (all || room >= share),
		.calls = calls && (all || room >= share + count),
		.per_call = calls && (all || room >= share + 3 * count),
	};
}

static void inclusive_write_heads(const struct text *t, const struct inclusive_columns *columns,
				  const struct prefix *prefix, struct output *out)
{
	char per_call[] = { prefix->letter, t->abbrev, '/', 'c', 'a', 'l', 'l', '\0' };
	int interval = intervals_shown(t) ? 1 + INTERVALS_WIDTH : 0;
	int share = columns->shares ? interval : 0, waits = t->waits ? 1 + WAITS_WIDTH : 0;
	int wait = columns->waits ? interval : 0;

	text_heading(out, STYLE_TITLE, "Inclusive profile, from call stacks:\n\n");
	text_unit_line(t, TEXT_OF_INCLUSIVE, out);
	output_format(out, "\n  %%  %*s inclusive%*s     self%*s%*s%s\n", share,
		      share ? "+-   " : "", interval, interval ? "+-   " : "", waits,
		      waits ? "waiting" : "", wait, wait ? "+-   " : "",
		      columns->per_call ? "              incl.     self" : "");
	output_style(out, STYLE_COLUMNS);
	output_format(out, "%5.5s%*s %9.9s%*s %8.8s%*s%*s", "time", share, "", t->dimension,
		      interval, "", t->dimension, waits, waits ? "seconds" : "", wait, "");
	if (columns->calls)
		output_format(out, " %*s", COUNT_WIDTH, "calls");
	if (columns->per_call)
		output_format(out, " %*.8s %*.8s", COUNT_WIDTH, per_call, COUNT_WIDTH, per_call);
	output_text(out, "  name");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

struct inclusive_row {
	sym_id s;
	struct inclusive_columns columns;
	struct intervals_figure figure;
	bool unsure; /* it is uncertain whether it belongs above the next row */
	struct intervals_column share, time, wait;
};

static struct intervals_figure inclusive_figure(const struct text *t, sym_id s)
{
	const struct costs *costs = &t->a->costs;

	return intervals_figure(t, costs_inclusive(costs, s), costs->all,
				confidence_files(t->a->confidence.inclusive, s));
}

/* Returns the waiting of a function as a share of all waiting, with its interval. */
static struct intervals_figure inclusive_wait_figure(const struct text *t, sym_id s)
{
	double waits = t->waits->inclusive[s], total = t->waits->total;
	double error = t->a->confidence.z * t->a->costs.wait_errors.inclusive[s];

	if (!(error > 0.0)) /* nothing is by chance: there is no interval */
		return (struct intervals_figure){ .ticks = 0.0 };
	return (struct intervals_figure){ waits,
					  total,
					  { fmax(waits - error, 0.0) / total,
					    fmin(waits + error, total) / total } };
}

static void inclusive_write_row(const struct text *t, struct inclusive_row *row,
				const struct prefix *prefix, struct output *out)
{
	const struct costs *costs = &t->a->costs;
	double all = costs_inclusive(costs, row->s), self = costs->own[row->s];
	double waits = inclusive_waits(t, row->s);
	double total = text_with_waits(t, costs->all, costs->waits.total);
	bool hot = out->styled && text_is_hot(self, total);
	uint64_t start = out->total;

	if (hot)
		output_style(out, STYLE_HOT);
	output_fixed(out, 100.0 * text_with_waits(t, all, waits) / (total > 0.0 ? total : 1.0), 5,
		     1);
	if (row->columns.shares)
		intervals_write(&row->share, &row->figure, out);
	output_char(out, ' ');
	output_fixed(out, all / t->rate, 9, 2);
	if (intervals_shown(t))
		intervals_write(&row->time, &row->figure, out);
	output_char(out, ' ');
	output_fixed(out, self / t->rate, COUNT_WIDTH, 2);
	if (t->waits) {
		output_char(out, ' ');
		output_fixed(out, waits / t->waits->rate, WAITS_WIDTH, 2);
	}
	if (row->columns.waits) {
		struct intervals_figure figure = inclusive_wait_figure(t, row->s);

		intervals_write(&row->wait, &figure, out);
	}
	prefix_write_calls(t, row->s, prefix, (const double[]){ all, self },
			   row->columns.calls + 2u * row->columns.per_call, out);
	output_bytes(out, row->unsure ? " ~" : "  ", 2);
	labels_name_within(t, row->s, text_room(t, start, out), out);
	if (hot)
		output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

void inclusive_write(const struct text *t, struct output *out)
{
	const struct prefix *prefix = prefix_choose(t);
	struct arena scratch = arena_scratch(t->mem);
	uint32_t *rows = arena_array(&scratch, uint32_t, t->a->graph.nnodes);
	uint32_t nrows = inclusive_rows(t, rows, &scratch);
	struct intervals_figure next = { .ticks = 0.0 };
	struct inclusive_row row = {
		.columns = inclusive_choose(t),
		.share = intervals_column(t, 100.0),
		.time = intervals_column(t, t->a->costs.all / t->rate),
		.wait = intervals_column(t, t->waits ? t->waits->total / t->waits->rate : 0.0),
	};

	progress_step(t->progress, "writing the inclusive profile", nrows);
	text_page(out);
	inclusive_write_heads(t, &row.columns, prefix, out);
	if (nrows > 0)
		next = inclusive_figure(t, rows[0]);
	for (uint32_t i = 0; i < nrows; i++) {
		progress_at(t->progress, i);
		row.s = rows[i];
		row.figure = next;
		if (i + 1 < nrows)
			next = inclusive_figure(t, rows[i + 1]);
		row.unsure = i + 1 < nrows && !t->waits && intervals_unsure(&row.figure, &next);
		inclusive_write_row(t, &row, prefix, out);
	}
	if (!t->opt->brief)
		text_explain(t, t->waits ? &inclusive_waiting : &inclusive_explanation, out);
	arena_free(&scratch);
}
