/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How likely chance alone makes a difference as large as one that was seen: p-values. */
#ifndef BASE_P_VALUES_H
#define BASE_P_VALUES_H

#include <stdint.h>

/*
 * All are two-sided, from 0 to 1, and good to 9 digits for counts up to 10^8. Of the count itself,
 * `own` of its probability counts: a half makes mid-p values (Lancaster, J. Am. Stat. Assoc.
 * 56:223, 1961), which are right on average; all of it makes those of the exact test, which is
 * never wrong too often. Linear in the standard deviation of the count.
 */

/*
 * Of two counts of events, n0 and n1, whose rates are equal in such a way that each event is one of
 * the n1 with probability q: the conditional test of Przyborowski and Wilenski (Biometrika 31:313,
 * 1940), by the binomial distribution. 0 < q < 1; no events: 1.
 */
double p_values_binomial(uint64_t n0, uint64_t n1, double q, double own);

/*
 * Of shares, n0 of all0 and n1 of all1 events: Fisher's exact test, by the hypergeometric
 * distribution. n0 <= all0, n1 <= all1; no events, or nothing else: 1.
 */
double p_values_shares(uint64_t n0, uint64_t all0, uint64_t n1, uint64_t all1, double own);

#endif
