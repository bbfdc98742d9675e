/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides, function by function, with what chance may have done. */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include "analysis/diff/spread.h"
#include "base/demangle.h"
#include "model/amounts.h"
#include "model/analysis.h"

enum compare_order { COMPARE_DELTA, COMPARE_NEW, COMPARE_BASE, COMPARE_NAME };

struct compare_options {
	bool normalize;
	enum compare_order order;
	double level;   /* in percent */
	uint64_t least; /* samples on one of the sides, for a row to be tested */
	enum demangle_style style;
};

struct compare_side {
	const struct analysis *a;
	const struct amounts *amounts;    /* of a */
	const struct location *locations; /* as match_side has them */
	uint32_t nruns;
	const struct spread *spread; /* of all its runs, or NULL: only their sum is known */
};

/*
 * The difference, in mem. Functions that differ by more than chance explains are those that a
 * procedure of Benjamini and Hochberg (J. R. Stat. Soc. B 57:289, 1995) finds: of all that are
 * marked, at most 100 - level percent are so wrongly, on average.
 *
 * The test is the conditional one of two rates (base/tails.h) or, with several runs on both sides,
 * that of a quasi-Poisson model, or of one with a quadratic variance where that is more
 * (spread_fit()). n log n in rows, and for single runs linear in the roots of their samples.
 */
struct difference compare_sides(const struct compare_side sides[SIDES],
				const struct difference_match *match,
				const struct compare_options *opt, struct arena *mem);

/*
 * What of a count's own probability is in p, as base/tails.h has it. Marks are made by the stricter
 * of the two: on a busy machine a sample may count for several, and of 300 pairs of a program with
 * itself (20 functions of some 10 samples, a load of 12 to 17 on 2 processors) 7.0 % had a mark by
 * mid-p, 4.7 % by the exact test.
 */
#define COMPARE_SHOWN  0.5
#define COMPARE_STRICT 1.0

/*
 * p of counts n0 and n1 in the place of a function's: how likely chance makes rates so different.
 */
double compare_counts(const struct difference *d, uint64_t n0, uint64_t n1, double own);

/* New less base, of such counts, in the unit that is shown. */
double compare_delta(const struct difference *d, uint64_t n0, uint64_t n1);

/*
 * Of n p-values, which are marked: those of the first so many by size that the procedure names.
 * Returns the largest one, or -1. It sorts them.
 */
double compare_threshold(double *p, size_t n, double level);

#endif
