/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the program and its libraries, sorted by time. */
#include "config.h"

#include "base/sort.h"
#include "report/views.h"

#include <string.h>

static const struct explanation objects_explanation = {
	"How to read the list of objects\n",
	"\n"
	" %            share of all samples that fell into this object\n"
	" self         time in its functions; the list is sorted by it\n"
	" calls in     how often other objects called its functions; a dash if no function of it\n"
	"              counts its calls, because it was built without -pg\n"
	" calls out    how often it called functions of others, as far as those count\n"
	" symbols      where its functions have their names from: full, a symbol table or debug file;\n"
	"              dynamic, what it shows to others, and the rest from call-frame information;\n"
	"              frames, that alone; none, all of it is one function\n"
	" object       the program, a library, or in brackets, code of no file\n",
	"",
	NULL,
};

enum { COUNT_WIDTH = 12 };

static int objects_compare(uint32_t x, uint32_t y, const void *rows)
{
	const struct object_row *a = (const struct object_row *)rows + x;
	const struct object_row *b = (const struct object_row *)rows + y;

	if (a->ticks > b->ticks || a->ticks < b->ticks)
		return a->ticks > b->ticks ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void objects_write_row(const struct text *t, const struct object_row *row,
			      struct output *out)
{
	static const char *const names[] = { [NAMES_NONE] = "none",
					     [NAMES_FRAMES] = "frames",
					     [NAMES_DYNAMIC] = "dynamic",
					     [NAMES_FULL] = "full" };
	double total = t->a->costs.total;
	bool hot = out->styled && text_is_hot(row->ticks, total);

	if (hot)
		output_style(out, STYLE_HOT);
	output_fixed(out, total > 0.0 ? 100.0 * row->ticks / total : 0.0, 5, 1);
	output_char(out, ' ');
	output_fixed(out, row->ticks / t->rate, 9, 2);
	output_char(out, ' ');
	if (row->is_called)
		output_uint(out, row->calls_in, COUNT_WIDTH);
	else
		output_format(out, "%*s", COUNT_WIDTH, "-");
	output_char(out, ' ');
	output_uint(out, row->calls_out, COUNT_WIDTH);
	output_format(out, "   %-9s ", row->is_file ? names[row->names] : "none");
	output_name(out, row->name, strlen(row->name));
	if (hot)
		output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

void objects_write(const struct text *t, struct output *out)
{
	const struct object_rows *rows = &t->a->objects;
	struct arena scratch = arena_scratch(t->mem);
	uint32_t *order = arena_array(&scratch, uint32_t, rows->n);

	for (uint32_t i = 0; i < rows->n; i++)
		order[i] = i;
	sort_ids(order, rows->n, objects_compare, rows->at, &scratch);
	text_page(out);
	text_heading(out, STYLE_TITLE,
		     t->a->costs.origin.measured ? "Objects, from call stacks:\n\n"
						 : "Objects:\n\n");
	text_unit_line(t, TEXT_NO_INTERVALS, out);
	output_char(out, '\n');
	output_style(out, STYLE_COLUMNS);
	output_format(out, "%5.5s %9.9s %*s %*s   symbols   object", "%  ", "self", COUNT_WIDTH,
		      "calls in", COUNT_WIDTH, "calls out");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
	for (uint32_t i = 0; i < rows->n; i++) {
		const struct object_row *row = &rows->at[order[i]];

		if (row->ticks > 0.0 || row->calls_in > 0 || row->calls_out > 0 || t->opt->zeros)
			objects_write_row(t, row, out);
	}
	if (!t->opt->brief)
		text_explain(t, &objects_explanation, out);
	arena_free(&scratch);
}
