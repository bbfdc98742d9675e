/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much functions vary from run to run. */
#ifndef ANALYSIS_DIFF_VARIANCE_H
#define ANALYSIS_DIFF_VARIANCE_H

#include "analysis/functions/resolve.h"
#include "model/difference.h"

/* The runs of a side so far. */
struct variance {
	uint32_t nruns;
	double *sum, *squares; /* of the samples of a run, by row of the match */
	double total, total_squares;
	double *run;  /* room for those of one, all zero between two calls */
	double scale; /* runs are scaled to this total, unless it is 0 */
};

/* Of runs that are all scaled to a total, if they are to be compared by shares; else 0. In mem. */
struct variance variance_begin(const struct difference_match *match, double scale,
			       struct arena *mem);

/* Adds the samples of a run by the symbols of a side. Linear in these and in rows. */
void variance_add(struct variance *spread, const struct difference_match *match,
		  enum difference_side side, const struct ticks *ticks, uint32_t nsyms);

/*
 * What they say of all rows of which a side has 5 samples a run, that side alone if the other has
 * not: Pearson's statistic for the excess; for the rest the moments of a quadratic variance. What
 * totals say is common, unless runs are scaled to one total. Linear in rows.
 */
struct difference_variance variance_fit(const struct variance spreads[SIDES], uint32_t nrows,
					double least);

#endif
