/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The index: function names, then cycles, in three columns read downwards. */
#include "config.h"

#include "report/entries.h"
#include "report/labels.h"
#include "report/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NCOLUMNS = 3, NUMBER_WIDTH = 5, OLD_NAME_WIDTH = 19 };
enum { NEAR = 4, FAR = 8 }; /* rows ahead */

static void index_write_traditional_cell(const struct text *t, uint32_t node, struct output *out)
{
	uint32_t nsyms = t->a->graph.nnodes;
	char number[LABEL_NUMBER_BYTES], cycle[32];
	const char *name = node < nsyms ? t->a->program->symtab.sym[node].name : cycle;
	size_t n;

	labels_number(t, node, number);
	snprintf(cycle, sizeof(cycle), "<cycle %" PRIu32 ">", node - nsyms + 1);
	output_format(out, "%6.6s ", number);
	n = output_name(out, name, strnlen(name, OLD_NAME_WIDTH));
	output_blanks(out, n < OLD_NAME_WIDTH ? OLD_NAME_WIDTH - n : 0);
}

/*
 * Writes one cell that starts at column `start`; returns the column behind it as the historic
 * layout reckons: the two blanks around the name do not count, which moves later columns to the
 * right.
 */
static size_t index_write_cell(const struct text *t, uint32_t node, size_t column, size_t start,
			       struct output *out)
{
	const struct analysis *a = t->a;
	char bracket[LABEL_NUMBER_BYTES];
	size_t pad = 0;

	column += labels_number(t, node, bracket);
	while (column < start + NUMBER_WIDTH) {
		column++;
		pad++;
	}
	output_blanks(out, pad + 1);
	output_text(out, bracket);
	output_char(out, ' ');
	if (node >= a->graph.nnodes)
		return column +
		       output_format(out, "<cycle %" PRIu32 ">", node - a->graph.nnodes + 1);
	column += labels_name(t, node, out);
	if (!a->program->by_line && a->program->symtab.sym[node].flags & SYM_STATIC &&
	    t->view->locations[node].file) {
		const char *file = labels_file(t, t->view->locations[node].file);

		output_text(out, " (");
		column += output_name(out, file, strlen(file)) + 3;
		output_text(out, ")");
	}
	return column;
}

/* Puts the functions of the index, by name, into cells; returns their number. */
static uint32_t index_choose(const struct text *t, uint32_t *cells, struct arena *scratch)
{
	const struct analysis *a = t->a;
	struct bitset listed = bitset_empty(scratch, a->graph.nnodes);
	uint32_t n = 0;

	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (analysis_has_node(a, s) &&
		    (entries_lists(a, t->opt, s) || a->weights.self[s] != 0.0 ||
		     (a->stacks && a->weights.children[s] != 0.0)))
			bitset_add(listed, s);
	}
	for (uint32_t i = 0; i < a->graph.nnodes; i++) {
		sym_id s = t->by_name ? t->by_name[i] : i;

		if (bitset_has(listed, s))
			cells[n++] = s;
	}
	if (!t->by_name)
		entries_sort_names(t, cells, n, scratch);
	return n;
}

void index_write(const struct text *t, struct output *out)
{
	const struct analysis *a = t->a;
	struct arena scratch = arena_scratch(t->mem);
	uint32_t nnodes = analysis_nnodes(a);
	uint32_t *cells = arena_array(&scratch, uint32_t, nnodes);
	uint32_t n = index_choose(t, cells, &scratch), nrows;
	size_t column_width = (size_t)(t->opt->width - 1) / NCOLUMNS;

	for (uint32_t node = a->graph.nnodes; node < nnodes; node++)
		cells[n++] = node;

	output_text(out, "\f\n");
	text_heading(out, STYLE_TITLE, "Index by function name\n\n");
	nrows = n / NCOLUMNS + (n % NCOLUMNS != 0);
	progress_step(t->progress, "writing the index", nrows);
	for (uint32_t row = 0; row < nrows; row++) {
		size_t column = 0;

		progress_at(t->progress, row);
		for (uint32_t k = 0; k < NCOLUMNS && row + FAR < nrows; k++) {
			uint64_t cell = row + (uint64_t)k * nrows;

			if (cell + FAR < n && cells[cell + FAR] < a->graph.nnodes) {
				__builtin_prefetch(
					&a->program->symtab.sym[cells[cell + FAR]].flags);
				labels_expect(t, cells[cell + FAR]);
			}
			if (cell + NEAR < n && cells[cell + NEAR] < a->graph.nnodes)
				labels_expect_name(t, cells[cell + NEAR]);
		}
		for (uint32_t k = 0; k < NCOLUMNS && row + (uint64_t)k * nrows < n; k++) {
			uint32_t node = cells[row + k * nrows];

			if (t->opt->traditional)
				index_write_traditional_cell(t, node, out);
			else
				column = index_write_cell(t, node, column, k * column_width, out);
		}
		output_char(out, '\n');
	}
	arena_free(&scratch);
}
