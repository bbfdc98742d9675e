/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What chance makes of the difference of two counts, and which of many it does not explain. */
#ifndef ANALYSIS_DIFF_CHANCE_H
#define ANALYSIS_DIFF_CHANCE_H

#include "model/difference.h"

#include <stddef.h>

/*
 * What of a count's own probability is in p, as base/tails.h has it. Marks are made by the stricter
 * of the two: on a busy machine a sample may count for several, and of 300 pairs of a program with
 * itself (20 functions of some 10 samples, a load of 12 to 17 on 2 processors) 7.0 % had a mark by
 * mid-p, 4.7 % by the exact test.
 */
#define CHANCE_SHOWN  0.5
#define CHANCE_STRICT 1.0

/* What is known of a difference: its standard deviation, in the unit that is shown, */
struct chance_error {
	double deviation;
	uint32_t freedom; /* from so many values; more than anybody counts: for certain */
};

/* Units of a value in a sample of a side. */
double chance_scale(const struct difference *d, int k);

/* New less base, of such counts, in the unit that is shown. */
double chance_delta(const struct difference *d, uint64_t n0, uint64_t n1);

/*
 * Of counts of both sides, which may be those of several functions together: what runs vary by, as
 * a part of the mean, is no more for their sum than for each.
 */
struct chance_error chance_error(const struct difference *d, double n0, double n1);

/*
 * p of counts n0 and n1 in the place of a function's: how likely chance makes rates so different.
 * Where ticks tell less than as many samples would, the deviation that p stands for is the less by
 * the root of that.
 */
double chance_p(const struct difference *d, uint64_t n0, uint64_t n1, double own);

/*
 * Of n p-values, which are marked: the procedure of Holm (Scand. J. Stat. 6:65, 1979). The chance
 * that any mark is wrong is at most 100 - level percent, however many of the differences are real,
 * and whatever the tests have to do with each other. Returns the largest p that is marked, or -1.
 * It sorts them.
 */
double chance_threshold(double *p, size_t n, double level);

/* The level of each of n tests, if only one is to be marked: that which the smallest p must pass.
 */
double chance_first_level(size_t n, double level);

#endif
