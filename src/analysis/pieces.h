/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bins of samples cut into pieces of one line, and how code of one came to be inlined. */
#ifndef ANALYSIS_PIECES_H
#define ANALYSIS_PIECES_H

#include "base/array.h"
#include "model/linetable.h"
#include "model/profile.h"
#include "model/symtab.h"

typedef ARRAY(uint64_t) place_addresses;

/* Deeper than line tables nest inlined functions. */
enum { PIECES_MOST_CALLERS = 512 };

/* A part of a bin that is of one symbol and one row of the line table. */
struct code_piece {
	uint64_t pc; /* of its first code that is of both */
	uint64_t hi; /* where it ends */
	double ticks;
	sym_id symbol;
	const struct line_row *row; /* or NULL */
};

typedef void pieces_take(const struct code_piece *piece, void *arg);

/*
 * Hands on the pieces of all bins with samples that are in symbols, in order. A bin is divided by
 * bytes among symbols, as resolve_walk() does it, and what a symbol has of it among lines: each
 * unit of a histogram is of the line of its last byte, as in the flat profile by line. Linear in
 * bins and the symbols under them, times log n in rows for each piece.
 */
void pieces_walk(const struct profile *prof, const struct symtab *symtab,
		 const struct line_table *lines, pieces_take *take, void *arg);

/*
 * The row, and behind it the calls that became its code, to the one in the symbol's own function.
 * Without a row, a caller of unknown source. Returns how many there are.
 */
uint32_t pieces_chain(const struct line_table *lines, const struct line_row *row,
		      struct line_caller chain[PIECES_MOST_CALLERS]);

#endif
