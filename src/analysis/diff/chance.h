/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes whether chance explains the difference of two counts, and which of many differences it
 * does not explain.
 */
#ifndef ANALYSIS_DIFF_CHANCE_H
#define ANALYSIS_DIFF_CHANCE_H

#include "model/difference.h"

#include <stddef.h>

/*
 * Values of `own` for chance_p(): how much of the probability of the observed count itself is part
 * of p (base/p_values.h). CHANCE_SHOWN (mid-p) gives the p-values that are shown, CHANCE_STRICT
 * (the exact test) those that decide about marks. A busy machine makes a sample count as several
 * ticks: of 300 pairs of runs of one program (20 functions of some 10 samples, a load of 12 to 17
 * on 2 processors), 7.0 % had a mark by mid-p, and 4.7 % by the exact test.
 */
#define CHANCE_SHOWN  0.5
#define CHANCE_STRICT 1.0

/* For counts whose own variance is not known. */
#define CHANCE_UNKNOWN ((struct difference_excess){ 0.0, 0 })

/* The standard error of a difference. */
struct chance_error {
	double deviation; /* standard deviation, in the unit that is shown */
	uint32_t freedom; /* its degrees of freedom; UINT32_MAX: the deviation is known, not
			     estimated */
};

/* Returns what a sample of side k is worth in the unit that is shown. */
double chance_scale(const struct difference *d, int k);

/*
 * The new side's value less the base's, for n0 samples of the base and n1 of the new side, in the
 * unit that is shown.
 */
double chance_delta(const struct difference *d, uint64_t n0, uint64_t n1);

/*
 * The standard error of the difference of counts n0 and n1. If their own excess is not known, they
 * may be sums of several functions: the variance between runs relative to the mean is not larger
 * for a sum than for each of them.
 */
struct chance_error chance_error(const struct difference *d, struct difference_excess excess,
				 double n0, double n1);

/*
 * The p-value of counts n0 and n1: the probability that chance makes the two rates differ at least
 * as much. `excess` is that of these counts, if it is known and each side has several runs. `own`
 * is CHANCE_SHOWN or CHANCE_STRICT. Where a tick has less information than a sample, the normal
 * deviate of p is divided by the square root of the ratio of both variances.
 */
double chance_p(const struct difference *d, struct difference_excess excess, uint64_t n0,
		uint64_t n1, double own);

/*
 * Holm's procedure for n tests (Scand. J. Stat. 6:65, 1979): returns the largest p-value that is
 * marked, or -1. The probability that any mark is wrong is at most 100 - level percent, however
 * many of the differences are real, and however the tests depend on each other. Sorts p.
 */
double chance_threshold(double *p, size_t n, double level);

/* The level in percent that the smallest of n p-values has to pass. */
double chance_first_level(size_t n, double level);

#endif
