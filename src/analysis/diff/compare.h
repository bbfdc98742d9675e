/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides, function by function, and what chance may explain of their difference. */
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
	const struct location *locations;          /* as in match_side */
	uint32_t nruns;
	struct variance_runs runs; /* without sums if only the sum of all runs is known */
	double per_sample;         /* as in difference_total */
};

/*
 * The difference, in mem. All self times are tested, and inclusive times if they are measured, but
 * for functions that call nothing, where that would be the same test. Marked are those that
 * chance_threshold() finds among all these tests.
 *
 * With single runs the test is the conditional one of two rates (base/p_values.h). With several
 * runs on both sides it is that of a quasi-Poisson model, or of one with a quadratic variance where
 * that is larger (variance_fit()). n log n in rows, and for single runs linear in the roots of
 * their samples.
 */
struct difference compare_sides(const struct compare_side sides[SIDES],
				const struct difference_match *match,
				const struct compare_options *opt, struct arena *mem);

#endif
