/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much functions vary from run to run. */
#ifndef ANALYSIS_DIFF_VARIANCE_H
#define ANALYSIS_DIFF_VARIANCE_H

#include "analysis/ranks/run_sums.h"
#include "analysis/stacks/call_tree.h"
#include "model/difference.h"

/* The runs of a side. */
struct variance_runs {
	const struct run_sums *sums; /* by row of the match */
	uint32_t n;                  /* runs 0 to n - 1 were added */
};

/*
 * Adds the first 100 of nruns recordings, from the call stacks that count for an analysis with this
 * selection. Returns how many it has added. Linear in runs times samples.
 */
uint32_t variance_add_recordings(struct run_sums *sums, const struct stacks_choice *stacks,
				 const struct selection *sel, uint32_t nruns);

/*
 * The variance of runs within the sides, from all rows: a side counts with the rows of which its
 * runs have 5 ticks or more in the mean. The excess is Pearson's statistic by its freedom, and at
 * least `least`; the rest is fitted by the moments of a quadratic variance. The part that functions
 * have in common is that of the totals, or 0 if runs are scaled to one total. Linear in rows.
 */
struct difference_variance variance_fit(const struct variance_runs runs[SIDES], uint32_t nrows,
					double least);

#endif
