/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides, function by function, with what chance may have done. */
#ifndef ANALYSIS_DIFF_COMPARE_H
#define ANALYSIS_DIFF_COMPARE_H

#include "analysis/diff/variance.h"
#include "base/demangle.h"
#include "model/analysis.h"
#include "model/integer_costs.h"

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
	const struct integer_costs *integer_costs; /* of a */
	const struct location *locations;          /* as match_side has them */
	uint32_t nruns;
	struct variance_runs runs; /* without sums if only the sum of all runs is known */
	double per_sample;         /* as difference_total has it */
};

/*
 * The difference, in mem. Functions that differ by more than chance explains are those that
 * chance_threshold() finds among the tests of all of them: of self times and, where these are
 * measured, of inclusive ones, but those of functions that call nothing are the same test.
 *
 * The test is the conditional one of two rates (base/tails.h) or, with several runs on both sides,
 * that of a quasi-Poisson model, or of one with a quadratic variance where that is more
 * (variance_fit()). n log n in rows, and for single runs linear in the roots of their samples.
 */
struct difference compare_sides(const struct compare_side sides[SIDES],
				const struct difference_match *match,
				const struct compare_options *opt, struct arena *mem);

#endif
