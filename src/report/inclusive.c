/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions by the time in them and in what they call, from call stacks. */
#include "config.h"

#include "base/radix.h"
#include "report/entries.h"
#include "report/labels.h"
#include "report/prefix.h"
#include "report/views.h"

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
};

enum { COUNT_WIDTH = 8 };

/* Those with time, and those asked for; by inclusive time, self time, name. */
static uint32_t inclusive_rows(const struct text *t, uint32_t *rows, const struct arena *mem)
{
	const struct measured *times = &t->a->stacks->times;
	struct arena scratch = arena_scratch(mem);
	struct keyed *order;
	uint32_t n = 0;

	for (sym_id s = 0; s < t->a->graph.nnodes; s++) {
		if (bitset_has(t->a->selection.inclusive, s) &&
		    (times->inclusive[s] > 0 || t->opt->zeros))
			rows[n++] = s;
	}
	entries_sort_names(t, rows, n, &scratch);
	order = arena_array(&scratch, struct keyed, n);
	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ ~times->self[rows[i]], rows[i] };
	sort_keyed(order, n, &scratch);
	for (uint32_t i = 0; i < n; i++)
		order[i].key = ~times->inclusive[order[i].id];
	sort_keyed(order, n, &scratch);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = order[i].id;
	arena_free(&scratch);
	return n;
}

static void inclusive_write_heads(const struct text *t, const struct prefix *prefix,
				  struct output *out)
{
	char per_call[] = { prefix->letter, t->abbrev, '/', 'c', 'a', 'l', 'l', '\0' };

	text_heading(out, STYLE_TITLE, "Inclusive profile, from call stacks:\n\n");
	text_unit_line(t, out);
	output_text(out, "\n  %   inclusive     self              incl.     self\n");
	output_style(out, STYLE_COLUMNS);
	output_format(out, "%5.5s %9.9s %8.8s %8.8s %8.8s %8.8s  name", "time", t->dimension,
		      t->dimension, "calls", per_call, per_call);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

static void inclusive_write_row(const struct text *t, sym_id s, const struct prefix *prefix,
				struct output *out)
{
	const struct measured *times = &t->a->stacks->times;
	double all = (double)times->inclusive[s], self = (double)times->self[s];
	double total = times->total > 0 ? (double)times->total : 1.0;
	double ncalls = (double)t->a->calls.outer[s];
	bool hot = out->styled && text_is_hot(self, total);

	if (hot)
		output_style(out, STYLE_HOT);
	output_fixed(out, 100.0 * all / total, 5, 1);
	output_char(out, ' ');
	output_fixed(out, all / t->rate, 9, 2);
	output_char(out, ' ');
	output_fixed(out, self / t->rate, COUNT_WIDTH, 2);
	if (t->a->calls.outer[s] != 0) {
		output_char(out, ' ');
		output_uint(out, t->a->calls.outer[s], COUNT_WIDTH);
	} else {
		output_blanks(out, 1 + COUNT_WIDTH);
	}
	if (t->a->calls.outer[s] != 0 && text_has_call_times(t)) {
		output_char(out, ' ');
		output_fixed(out, prefix->per_unit * all / t->rate / ncalls, COUNT_WIDTH, 2);
		output_char(out, ' ');
		output_fixed(out, prefix->per_unit * self / t->rate / ncalls, COUNT_WIDTH, 2);
	} else {
		output_blanks(out, 2 * (1 + COUNT_WIDTH));
	}
	output_blanks(out, 2);
	labels_name(t, s, out);
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

	progress_step(t->progress, "writing the inclusive profile", nrows);
	text_page(out);
	inclusive_write_heads(t, prefix, out);
	for (uint32_t i = 0; i < nrows; i++) {
		progress_at(t->progress, i);
		inclusive_write_row(t, rows[i], prefix, out);
	}
	if (!t->opt->brief)
		text_explain(out, &inclusive_explanation);
	arena_free(&scratch);
}
