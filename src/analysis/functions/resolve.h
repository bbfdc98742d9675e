/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the symbols of recorded addresses. */
#ifndef ANALYSIS_FUNCTIONS_RESOLVE_H
#define ANALYSIS_FUNCTIONS_RESOLVE_H

#include "base/array.h"
#include "model/costs.h"
#include "model/graph.h"
#include "model/profile.h"
#include "model/program.h"
#include "model/selection.h"

/* The unit of histograms, in bytes; bins are divided at whole units. */
enum { RESOLVE_UNIT = 2 };

/* A symbol's part of a bin: the ticks of the units [lo, hi), counted from address 0. */
struct resolve_part {
	sym_id symbol; /* SYM_NONE: this part is the whole bin */
	uint64_t lo, hi;
	double ticks;
};

/* Ticks by symbol. */
struct ticks {
	const double *self; /* one entry for each symbol */
	double total;       /* of all symbols, except those that the flat profile leaves out */
};

/* Called with each part. */
typedef void resolve_take(const struct resolve_part *part, void *arg);

/*
 * Calls `take` for each bin with samples, in order: first with the whole bin, then with a part for
 * each symbol that has code in it, in proportion to its bytes; then does the same for the ticks at
 * single addresses (points). Linear in bins and their symbols, n log n in points.
 */
void resolve_walk(const struct profile *prof, const struct symtab *symtab, resolve_take *take,
		  void *arg);

/* Does the same for one bin of one histogram. O(log n) in symbols. */
void resolve_bin(const struct profile *prof, const struct symtab *symtab, uint32_t hist,
		 uint32_t bin, resolve_take *take, void *arg);

/*
 * Returns ticks by symbol, in mem. A bin of several symbols is divided in proportion to their bytes
 * in it; ticks outside all symbols count only in the total. Linear in bins and their symbols.
 */
struct ticks resolve_ticks(const struct profile *prof, const struct symtab *symtab,
			   const struct selection *sel, struct arena *mem);

/*
 * Returns the factor, at most 1, by which ticks of symbols must be multiplied so that they do not
 * exceed the total. If the width of a bin is no whole number of units, its parts add up to some
 * thousandths too much, and GNU gprof's flat profile shows 100.17 %. Linear in the n symbols.
 */
double resolve_fit(const struct costs *costs, uint32_t n);

/*
 * Returns, in mem, the counts of basic blocks by symbol; those of one address are added up, those
 * outside all symbols left out. n log n in blocks.
 */
struct blocks resolve_blocks(const struct profile *prof, const struct symtab *symtab,
			     struct arena *mem);

/*
 * Returns, in mem, the recorded arcs between symbols, in the order of the data, repeated ones
 * included, without those that are not selected or have an end outside all symbols. Sets *n to
 * their number. raw_of, unless NULL, has room for as many entries as the data have arcs, and gets
 * the index there of each arc. n log n, times the selected sets of arcs.
 */
struct arc *resolve_arcs(const struct profile *prof, const struct symtab *symtab,
			 const struct selection *sel, size_t *n, uint32_t *raw_of,
			 struct arena *mem);

/*
 * Returns, in mem, the *n arcs followed by an arc with no calls for each selected call site; adds
 * these to *n. n log n, times the selected sets of arcs.
 */
struct arc *resolve_call_sites(const struct call_sites *sites, const struct symtab *symtab,
			       const struct selection *sel, const struct arc *arcs, size_t *n,
			       struct arena *mem);

#endif
