/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The execution counts: how often each function or line and each block was executed, sorted by
 * source file and line. */
#include "config.h"

#include "base/sort.h"
#include "report/views.h"

#include <inttypes.h>
#include <string.h>

/* Compares file and line if both symbols have them, else addresses. This is no strict order if only
 * some have them: the result of sort_ids() is then part of the format. */
static int counts_compare_places(uint32_t x, uint32_t y, const void *locations)
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

/* Writes the count of the code of symbol s at pc. `least`: it may have been executed more often. */
static void counts_write_count(const struct text *t, sym_id s, uint64_t pc, uint64_t count,
			       bool least, struct output *out)
{
	const struct sym *sym = &t->a->program->symtab.sym[s];
	const struct location *loc = &t->view->locations[s];
	const char *file = loc->file ? loc->file : "<unknown>";

	if (count == 0 && !t->opt->zeros)
		return;

	output_name(out, file, strlen(file));
	output_format(out, ":%u: (", loc->line);
	output_name(out, sym->name, strlen(sym->name));
	output_format(out, ":0x%" PRIx64 ") %s%" PRIu64 " executions\n",
		      address_space_code_address(sym, pc), least ? ">=" : "", count);
}

static void counts_write_counts(const struct text *t, sym_id s, struct output *out)
{
	const struct blocks *blocks = &t->a->blocks;
	const struct calls *calls = &t->a->costs.calls;

	counts_write_count(t, s, t->a->program->symtab.sym[s].lo, calls->outer[s],
			   costs_may_have_more(calls, s), out);
	for (uint32_t i = blocks->n ? blocks->start[s] : 0; blocks->n && i < blocks->start[s + 1];
	     i++)
		counts_write_count(t, s, blocks->pc[i], blocks->count[i], false, out);
}

void counts_write(const struct text *t, struct output *out)
{
	struct arena scratch = arena_scratch(t->mem);
	uint32_t nsyms = t->a->program->symtab.nsyms, n = 0;
	sym_id *rows = arena_array(&scratch, sym_id, nsyms);

	for (sym_id s = 0; s < nsyms; s++) {
		if (bitset_has(t->a->selection.exec, s))
			rows[n++] = s;
	}
	sort_ids(rows, n, counts_compare_places, t->view->locations, &scratch);

	progress_step(t->progress, "writing the execution counts", n);
	text_page(out);
	for (uint32_t i = 0; i < n; i++) {
		progress_at(t->progress, i);
		counts_write_counts(t, rows[i], out);
	}
	arena_free(&scratch);
}
