/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From recorded addresses to symbols. */
#ifndef ANALYSIS_FUNCTIONS_RESOLVE_H
#define ANALYSIS_FUNCTIONS_RESOLVE_H

#include "base/array.h"
#include "model/costs.h"
#include "model/graph.h"
#include "model/profile.h"
#include "model/program.h"
#include "model/selection.h"

/* Histograms count in units of this size, in which bins are divided, too. */
enum { RESOLVE_UNIT = 2 };

/* What a symbol has of a bin: the units [lo, hi), counted from address 0, and their ticks. */
struct resolve_part {
	sym_id symbol; /* or SYM_NONE: the whole bin */
	uint64_t lo, hi;
	double ticks;
};

/* Samples by symbol. */
struct ticks {
	const double *self; /* one a symbol */
	double total;       /* all but those of symbols that the flat profile leaves out */
};

/* What takes the parts. */
typedef void resolve_take(const struct resolve_part *part, void *arg);

/*
 * Hands on each bin with samples, in order: first as a whole, then in parts, one for each symbol
 * that has code in it, by their bytes; points, too.
 * Linear in bins and the symbols under them, n log n in points.
 */
void resolve_walk(const struct profile *prof, const struct symtab *symtab, resolve_take *take,
		  void *arg);

/* The same with one bin of one histogram, by their indices. O(log n) in symbols. */
void resolve_bin(const struct profile *prof, const struct symtab *symtab, uint32_t hist,
		 uint32_t bin, resolve_take *take, void *arg);

/*
 * Samples by symbol. A bin that several symbols share is divided by the bytes that each has in it;
 * samples outside all symbols count in the total only. The result lives in mem. Linear in bins and
 * the symbols under them.
 */
struct ticks resolve_ticks(const struct profile *prof, const struct symtab *symtab,
			   const struct selection *sel, struct arena *mem);

/*
 * What a tick of a symbol counts, at most 1, so that all together have no more than the total:
 * shares of bins whose width is no whole number of units add up to some thousandths more, for which
 * GNU gprof's flat profile shows 100.17 %. Linear in the n symbols.
 */
double resolve_fit(const struct costs *costs, uint32_t n);

/*
 * The counts of basic blocks by symbol, those of one address added up, in mem; those outside all
 * symbols are left out. n log n in blocks.
 */
struct blocks resolve_blocks(const struct profile *prof, const struct symtab *symtab,
			     struct arena *mem);

/*
 * The recorded arcs between symbols, in the order of the data, repeats included, in mem; those with
 * an end outside all symbols, or not selected, are left out. Unless raw_of is NULL, it has room for
 * as many as there are arcs in the data, and gets the place of each one there. n log n, times the
 * selected sets of arcs.
 */
struct arc *resolve_arcs(const struct profile *prof, const struct symtab *symtab,
			 const struct selection *sel, size_t *n, uint32_t *raw_of,
			 struct arena *mem);

/*
 * The n arcs, and behind them, without calls, one for each of the call sites that is selected, in
 * mem; adds to *n. n log n, times the selected sets of arcs.
 */
struct arc *resolve_call_sites(const struct call_sites *sites, const struct symtab *symtab,
			       const struct selection *sel, const struct arc *arcs, size_t *n,
			       struct arena *mem);

#endif
