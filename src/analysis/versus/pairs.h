/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the costs of two programs that were run in pairs. */
#ifndef ANALYSIS_VERSUS_PAIRS_H
#define ANALYSIS_VERSUS_PAIRS_H

#include "model/paired.h"

/*
 * The least pairs before a look: with fewer, the standard deviation is known too badly for an early
 * end.
 */
enum { PAIRS_LEAST = 6 };

/*
 * Compares one cost of n pairs. The unit is the pair: what both runs of a pair have in common, such
 * as a machine that becomes slower, cancels out. Student's test of the logarithms of the pairs'
 * ratios, with n - 1 degrees of freedom; the interval has the error probability `nominal`, and a
 * ratio is marked if its p-value is not above that. A pair without this cost, such as CPU time
 * below the clock's resolution, makes it unknown. `nominal` is at least 1e-9, or 0: nothing is
 * marked, and there is no interval. Linear.
 */
struct paired_total pairs_compare(const struct pair *pair, uint32_t n, enum paired_cost cost,
				  double nominal);

/*
 * The change, in percent, that a comparison of n pairs with the error probability `nominal` would
 * find in 4 of 5 cases, if ratios vary by `deviation` as in struct paired_total. n is at least 2.
 */
double pairs_detectable(double deviation, uint32_t n, double nominal);

/* Whether n pairs are one of the numbers at which a look is taken: 6, 8, 10, ..., ever rarer. */
bool pairs_is_look(uint32_t n);

#endif
