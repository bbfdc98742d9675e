/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bins of samples cut into pieces of one line, and how code of one came to be inlined. */
#ifndef ANALYSIS_LINES_LINE_SLICES_H
#define ANALYSIS_LINES_LINE_SLICES_H

#include "base/array.h"
#include "model/linetable.h"
#include "model/profile.h"
#include "model/symtab.h"

typedef ARRAY(uint64_t) address_list;

/* Deeper than line tables nest inlined functions. */
enum { LINE_SLICES_MOST_CALLERS = 512 };

/* A part of a bin that is of one symbol and one row of the line table. */
struct line_slice {
	uint64_t pc; /* of its first code that is of both */
	uint64_t hi; /* where it ends */
	double ticks;
	sym_id symbol;
	const struct line_row *row; /* or NULL */
};

typedef void line_slices_take(const struct line_slice *piece, void *arg);

/*
 * Hands on the pieces of all bins with samples that are in symbols, in order. A bin is divided by
 * bytes among symbols, as resolve_walk() does it, and what a symbol has of it among lines: each
 * unit of a histogram is of the line of its last byte, as in the flat profile by line. Linear in
 * bins and the symbols under them, times log n in rows for each piece.
 */
void line_slices_walk(const struct profile *prof, const struct symtab *symtab,
		      const struct line_table *lines, line_slices_take *take, void *arg);

/*
 * The row, and behind it the calls that became its code, to the one in the symbol's own function.
 * Without a row, a caller of unknown source. Returns how many there are.
 */
uint32_t line_slices_chain(const struct line_table *lines, const struct line_row *row,
			   struct line_caller chain[LINE_SLICES_MOST_CALLERS]);

#endif
