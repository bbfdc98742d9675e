/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/lines/line_slices.h"

#include "analysis/functions/resolve.h"

struct line_slices_walker {
	const struct symtab *symtab;
	const struct line_table *lines;
	line_slices_take *take;
	void *arg;
};

static void line_slices_cut(const struct resolve_part *part, void *arg)
{
	const struct line_slices_walker *w = arg;
	const struct line_table *lines = w->lines;
	double per_unit = part->ticks / (double)(part->hi - part->lo);

	if (part->symbol == SYM_NONE)
		return;
	for (uint64_t at = part->lo, upto; at < part->hi; at = upto) {
		const struct line_row *row =
			line_table_find(lines, RESOLVE_UNIT * at + RESOLVE_UNIT - 1);
		size_t next = row ? (size_t)(row - lines->row) + 1 : 0;
		uint64_t lo = w->symtab->sym[part->symbol].lo;
		struct line_slice slice = { .pc = RESOLVE_UNIT * at, .symbol = part->symbol };

		upto = part->hi;
		if (next < lines->nrows && lines->row[next].pc / RESOLVE_UNIT < upto)
			upto = lines->row[next].pc / RESOLVE_UNIT;
		slice.pc = slice.pc < lo ? lo : slice.pc;
		slice.pc = row && slice.pc < row->pc ? row->pc : slice.pc;
		slice.ticks = per_unit * (double)(upto - at);
		slice.row = row;
		w->take(&slice, w->arg);
	}
}

void line_slices_walk(const struct profile *prof, const struct symtab *symtab,
		      const struct line_table *lines, line_slices_take *take, void *arg)
{
	struct line_slices_walker walker = { symtab, lines, take, arg };

	resolve_walk(prof, symtab, line_slices_cut, &walker);
}

uint32_t line_slices_chain(const struct line_table *lines, const struct line_row *row,
			   struct line_caller chain[LINE_SLICES_MOST_CALLERS])
{
	uint32_t n = 1;

	chain[0] =
		row ? (struct line_caller){ row->file, row->function, row->line, row->caller, NULL }
		    : (struct line_caller){ NULL, NULL, 0, 0, NULL };
	while (n < LINE_SLICES_MOST_CALLERS && chain[n - 1].caller != 0 && chain[n - 1].function) {
		chain[n] = lines->caller[chain[n - 1].caller];
		n++;
	}
	return n;
}
