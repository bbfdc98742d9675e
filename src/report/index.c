/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The index: function names, then cycles, in three columns read downwards. */
#include "config.h"

#include "base/parallel_output.h"
#include "report/entries.h"
#include "report/labels.h"
#include "report/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NCOLUMNS = 3, NUMBER_WIDTH = 5, OLD_NAME_WIDTH = 19 };
enum { NEAR = 4, FAR = 8 }; /* how many rows ahead data are prefetched */
enum { CHUNK_ROWS = PARALLEL_OUTPUT_LINES / NCOLUMNS };

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

/* Writes one cell that begins at column `start`. Returns the column after it as GNU gprof counts:
 * without the two blanks around the name, which moves later columns to the right. */
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

/* Fills the cells with the functions of the index, sorted by name; returns their number. */
static uint32_t index_choose(const struct text *t, uint32_t *cells, struct arena *scratch)
{
	const struct analysis *a = t->a;
	struct bitset listed = bitset_empty(scratch, a->graph.nnodes);
	uint32_t n = 0;

	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (entries_indexes(a, t->opt, s))
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

/* The cells, column by column, and the number of rows. */
struct index_cells {
	const struct text *t;
	uint32_t *at;
	uint32_t n, nrows;
	size_t column_width;
};

static uint32_t index_chunk_end(const struct index_cells *cells, size_t chunk)
{
	size_t end = (chunk + 1) * CHUNK_ROWS;

	return end < cells->nrows ? (uint32_t)end : cells->nrows;
}

static size_t index_chunk_lines(const void *cells, size_t chunk)
{
	return index_chunk_end(cells, chunk) - chunk * CHUNK_ROWS;
}

static void index_look_ahead(const struct text *t, const struct index_cells *cells, uint32_t row)
{
	const struct analysis *a = t->a;

	for (uint32_t k = 0; k < NCOLUMNS && row + FAR < cells->nrows; k++) {
		uint64_t cell = row + (uint64_t)k * cells->nrows;

		if (cell + FAR < cells->n && cells->at[cell + FAR] < a->graph.nnodes) {
			__builtin_prefetch(&a->program->symtab.sym[cells->at[cell + FAR]].flags);
			labels_prefetch(t, cells->at[cell + FAR]);
		}
		if (cell + NEAR < cells->n && cells->at[cell + NEAR] < a->graph.nnodes)
			labels_prefetch_name(t, cells->at[cell + NEAR]);
	}
}

static void index_write_chunk(void *writer, size_t chunk, struct arena *mem, struct output *out)
{
	const struct index_cells *cells = writer;
	struct text t = mem ? labels_text_of_second(cells->t, mem) : *cells->t;
	uint32_t nrows = cells->nrows;

	for (uint32_t row = (uint32_t)chunk * CHUNK_ROWS; row < index_chunk_end(cells, chunk);
	     row++) {
		size_t column = 0;

		index_look_ahead(&t, cells, row);
		for (uint32_t k = 0; k < NCOLUMNS && row + (uint64_t)k * nrows < cells->n; k++) {
			uint32_t node = cells->at[row + k * nrows];

			if (t.opt->traditional)
				index_write_traditional_cell(&t, node, out);
			else
				column = index_write_cell(&t, node, column, k * cells->column_width,
							  out);
		}
		output_char(out, '\n');
	}
}

void index_write(const struct text *t, struct output *out)
{
	const struct analysis *a = t->a;
	struct arena scratch = arena_scratch(t->mem);
	uint32_t nnodes = analysis_nnodes(a);
	struct index_cells cells = { .t = t, .at = arena_array(&scratch, uint32_t, nnodes) };
	struct parallel_output chunks = {
		.alone = !labels_are_read_only(t),
		.progress = t->progress,
		.lines = index_chunk_lines,
		.format = index_write_chunk,
		.writer = { &cells, &cells },
	};

	cells.n = index_choose(t, cells.at, &scratch);
	for (uint32_t node = a->graph.nnodes; node < nnodes; node++)
		cells.at[cells.n++] = node;
	cells.nrows = cells.n / NCOLUMNS + (cells.n % NCOLUMNS != 0);
	cells.column_width = (size_t)(t->opt->width - 1) / NCOLUMNS;
	chunks.n = cells.nrows / CHUNK_ROWS + (cells.nrows % CHUNK_ROWS != 0);

	text_new_page(out);
	text_heading(out, STYLE_TITLE, "Index by function name\n\n");
	progress_step(t->progress, "writing the index", cells.nrows);
	parallel_output_write(&chunks, out, &scratch);
	arena_free(&scratch);
}
