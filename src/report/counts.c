/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The execution counts: how often each function was called, by source file and line. */
#include "config.h"

#include "base/sort.h"
#include "report/views.h"

#include <inttypes.h>
#include <string.h>

/*
 * File and line, where both symbols have them; address. No order in the strict sense when only some
 * have them: then the result is what sort_ids() makes of it, which is part of the format.
 */
static int compare_places(uint32_t x, uint32_t y, const void *locations)
{
	const struct location *a = (const struct location *)locations + x;
	const struct location *b = (const struct location *)locations + y;

	if (a->file && b->file) {
		int order = strcmp(a->file, b->file);

		if (order)
			return order;
		if (a->line != b->line)
			return a->line < b->line ? -1 : 1;
	}
	return (x > y) - (x < y);
}

static void write_count(const struct text *t, sym_id s, struct output *out)
{
	const struct sym *sym = &t->a->program->symtab.sym[s];
	const struct location *loc = &t->locations[s];

	output_text(out, loc->file ? loc->file : "<unknown>");
	output_format(out, ":%u: (", loc->line);
	output_text(out, sym->name);
	output_format(out, ":0x%" PRIx64 ") %" PRIu64 " executions\n", sym->lo,
		      t->a->calls.outer[s]);
}

void counts_write(const struct text *t, struct output *out)
{
	struct arena scratch = arena_scratch(t->mem);
	uint32_t n = t->a->program->symtab.nsyms;
	sym_id *rows = arena_array(&scratch, sym_id, n);

	for (sym_id s = 0; s < n; s++)
		rows[s] = s;
	sort_ids(rows, n, compare_places, t->locations, &scratch);

	text_page(out);
	for (uint32_t i = 0; i < n; i++) {
		if (t->opt->zeros || t->a->calls.outer[rows[i]] != 0)
			write_count(t, rows[i], out);
	}
	arena_free(&scratch);
}
