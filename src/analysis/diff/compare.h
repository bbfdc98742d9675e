/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares two profiles function by function, and tests whether chance explains the differences. */
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
	double level;   /* confidence level in percent */
	uint64_t least; /* a row is tested only if one side has this many samples */
	enum demangle_style style;
};

struct compare_side {
	const struct analysis *a;
	const struct integer_costs *integer_costs; /* whole-number times of the same analysis */
	const struct location *locations;          /* as in match_side */
	uint32_t nruns;
	struct variance_runs runs; /* `sums` is NULL if only the sum of all runs is known */
	double per_sample;         /* as in difference_total */
};

/*
 * Returns the difference, in mem. Tests all self times and, if they are measured, all inclusive
 * times, except those of functions that call nothing, where both tests would be the same. Marks the
 * rows that chance_threshold() finds among all these tests.
 *
 * For single runs the test is the conditional test of two rates (base/p_values.h). For several runs
 * on both sides it is that of a quasi-Poisson model, or of a model with quadratic variance where
 * that variance is larger (variance_fit()). With VARIANCE_MANY_RUNS on each side, a self time is
 * tested by how much that function itself varied (variance_of_row()). n log n in rows, and for
 * single runs linear in the square roots of their samples.
 */
struct difference compare_sides(const struct compare_side sides[SIDES],
				const struct difference_match *match,
				const struct compare_options *opt, struct arena *mem);

#endif
