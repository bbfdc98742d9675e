/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether counts differ by more than chance makes them. */
#ifndef BASE_DISPERSION_H
#define BASE_DISPERSION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Pearson's statistic of n counts with a sum, of which the sum of squares is given: the index of
 * dispersion times n - 1, about n - 1 where each count is chance alone. 0 without a sum; never
 * negative, whatever rounding did to the squares. n is not 0.
 */
double dispersion_of(double sum, double squares, uint32_t n);

/*
 * Whether n counts of the given sum are more uneven than chance explains, at z, a quantile of the
 * normal distribution: 3.09 is wrong in one of 1000 cases, or rarer. The bound is that of Wilson
 * and Hilferty (Proc. Nat. Acad. Sci. 17:684, 1931) for chi-square, but with the moments that the
 * statistic itself has when so many events fall into n cells (J. B. S. Haldane, Biometrika 29:133,
 * 1937): with many events they are those of chi-square, and with few in many cells two in one cell
 * are no wonder. Counts need not be whole. Constant time.
 */
bool dispersion_is_uneven(double sum, double squares, uint32_t n, double z);

#endif
