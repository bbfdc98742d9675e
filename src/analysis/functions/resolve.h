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

/* The unit of histograms, in bytes; bins are divided at whole units. */
enum { RESOLVE_UNIT = 2 };

/* A symbol's part of a bin: the units [lo, hi), counted from address 0, and their ticks. */
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

/* Called with each part. */
typedef void resolve_take(const struct resolve_part *part, void *arg);

/*
 * Calls `take` for each bin with samples, in order: first with the whole bin, then with a part for
 * each symbol that has code in it, in proportion to its bytes; then likewise for each point. Linear
 * in bins and their symbols, n log n in points.
 */
void resolve_walk(const struct profile *prof, const struct symtab *symtab, resolve_take *take,
		  void *arg);

/* The same for one bin of one histogram, by index. O(log n) in symbols. */
void resolve_bin(const struct profile *prof, const struct symtab *symtab, uint32_t hist,
		 uint32_t bin, resolve_take *take, void *arg);

/*
 * Returns samples by symbol, in mem. A bin that several symbols share is divided in proportion to
 * their bytes in it; samples outside all symbols count only in the total. Linear in bins and their
 * symbols.
 */
struct ticks resolve_ticks(const struct profile *prof, const struct symtab *symtab,
			   const struct selection *sel, struct arena *mem);

/*
 * Returns the factor, at most 1, by which ticks of symbols must be multiplied so that they do not
 * exceed the total. Where the width of a bin is no whole number of units, its parts add up to some
 * thousandths too much, and GNU gprof's flat profile shows 100.17 %. Linear in the n symbols.
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
 * as many entries as the data have arcs, and gets the index there of each arc. n log n, times the
 * selected sets of arcs.
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
