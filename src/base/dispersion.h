/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides whether counts differ by more than chance explains. */
#ifndef BASE_DISPERSION_H
#define BASE_DISPERSION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Pearson's statistic of n counts, from their sum and the sum of their squares: the index of
 * dispersion times n - 1. About n - 1 if the counts differ only by chance. 0 if the sum is 0; never
 * negative, whatever rounding did to the squares. n is at least 1.
 */
double dispersion_of(double sum, double squares, uint32_t n);

/*
 * Whether n counts of the given sum are more uneven than chance explains. z is a quantile of the
 * normal distribution: 3.09 makes one wrong decision in 1000 cases, or fewer. The bound is that of
 * Wilson and Hilferty (Proc. Nat. Acad. Sci. 17:684, 1931) for chi-square, but with the moments
 * that the statistic itself has when that many events fall into n cells (J. B. S. Haldane,
 * Biometrika 29:133, 1937): with many events they equal those of chi-square, while few events in
 * many cells may well put two into one cell. Counts need not be whole. Constant time.
 */
bool dispersion_is_uneven(double sum, double squares, uint32_t n, double z);

#endif
