/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates how much functions vary from run to run. */
#ifndef ANALYSIS_DIFF_VARIANCE_H
#define ANALYSIS_DIFF_VARIANCE_H

#include "analysis/ranks/run_sums.h"
#include "analysis/stacks/call_tree.h"
#include "model/difference.h"

/* The runs of a side. */
struct variance_runs {
	const struct run_sums *sums; /* indexed by the rows of match.h */
	uint32_t n;                  /* runs 0 to n - 1 were added */
};

/*
 * Adds the ticks of the first 100 of nruns recordings, from the call stacks that an analysis with
 * this selection uses. Returns how many recordings were added. Linear in runs times samples.
 */
uint32_t variance_add_recordings(struct run_sums *sums, const struct stacks_choice *stacks,
				 const struct selection *sel, uint32_t nruns);

/*
 * Estimates how much the runs of each side vary, from all rows in which that side's runs have 5
 * ticks or more on average. The excess is Pearson's chi-squared divided by its degrees of freedom,
 * and at least `least`; the other parameters are fitted by the method of moments, for a variance
 * that is quadratic in the mean. The part that is common to all functions is taken from the totals;
 * it is 0 if runs are scaled to one total. Linear in rows.
 */
struct difference_variance variance_fit(const struct variance_runs runs[SIDES], uint32_t nrows,
					double least);

/*
 * With this many runs on each side, functions are tested by their own variance. With fewer, that
 * would be too uncertain: the variance of all functions together finds more.
 */
enum { VARIANCE_MANY_RUNS = 6 };

/*
 * Estimates the excess of one row from the runs of both sides: Pearson's chi-squared divided by its
 * degrees of freedom. Samples at random places of equal intervals vary by less than chance makes
 * them, so it may be far below 1. A count is a whole number, so its variance is taken to be at
 * least 1/4, or the mean if that is less. Constant time.
 */
struct difference_excess variance_of_row(const struct variance_runs runs[SIDES], uint32_t row);

#endif
