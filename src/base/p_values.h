/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * P-values: the probability that chance alone makes a difference at least as large as the observed
 * one.
 */
#ifndef BASE_P_VALUES_H
#define BASE_P_VALUES_H

#include <stdint.h>

/*
 * All p-values are two-sided, from 0 to 1, and good to 9 digits for counts up to 10^8. `own` is the
 * part of the observed count's own probability that is included: 0.5 makes mid-p values (Lancaster,
 * J. Am. Stat. Assoc. 56:223, 1961), which are right on average; 1 makes those of the exact test,
 * which is never wrong more often than p says. Linear in the standard deviation of the count.
 */

/*
 * For two counts of events, n0 and n1: the conditional test of Przyborowski and Wilenski
 * (Biometrika 31:313, 1940), by the binomial distribution. The hypothesis is that each event is one
 * of the n1 with probability q, 0 < q < 1. Without events p is 1.
 */
double p_values_binomial(uint64_t n0, uint64_t n1, double q, double own);

/*
 * For two shares, n0 of all0 and n1 of all1 events: Fisher's exact test, by the hypergeometric
 * distribution. n0 <= all0, n1 <= all1. If there are no events, or no others, p is 1.
 */
double p_values_shares(uint64_t n0, uint64_t all0, uint64_t n1, uint64_t all1, double own);

#endif
