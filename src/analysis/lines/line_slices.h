/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cuts bins into slices of one symbol and line, and finds the chain of calls by which code was
 * inlined.
 */
#ifndef ANALYSIS_LINES_LINE_SLICES_H
#define ANALYSIS_LINES_LINE_SLICES_H

#include "base/array.h"
#include "model/line_table.h"
#include "model/profile.h"
#include "model/symtab.h"

/* the deepest nesting of inlined functions in line tables */
enum { LINE_SLICES_MOST_CALLERS = 512 };

/* A part of a bin that belongs to one symbol and one row of the line table. */
struct line_slice {
	uint64_t pc; /* the first address in both of them */
	double ticks;
	sym_id symbol;
	const struct line_row *row; /* NULL: no row */
};

typedef void line_slices_take(const struct line_slice *slice, void *arg);

/*
 * Calls `take` with the slices of all bins that have samples, in order; code outside of symbols is
 * left out. A bin is divided by bytes among symbols, as resolve_walk() does it, and a symbol's part
 * is divided among lines: each unit of a histogram belongs to the line of its last byte, as in the
 * flat profile by line. Linear in bins and the symbols under them, times log n in rows for each
 * slice.
 */
void line_slices_walk(const struct profile *prof, const struct symtab *symtab,
		      const struct line_table *lines, line_slices_take *take, void *arg);

/*
 * Sets chain[0] to the row, and the following entries to the calls by which it was inlined, the
 * last in the symbol's own function. If row is NULL, chain[0] has an unknown source. Returns the
 * length of the chain, at least 1.
 */
uint32_t line_slices_chain(const struct line_table *lines, const struct line_row *row,
			   struct line_caller chain[LINE_SLICES_MOST_CALLERS]);

#endif
