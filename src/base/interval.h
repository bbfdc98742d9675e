/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a figure may be from the truth: quantiles, and intervals of what was sampled. */
#ifndef BASE_INTERVAL_H
#define BASE_INTERVAL_H

#include <stdint.h>

/* From low to high, both included; low <= high. */
struct interval {
	double low, high;
};

/*
 * How many standard deviations to either side of its mean a normal variable stays within, in
 * `level` percent of cases; level is above 0 and below 100. The two-sided quantile, good to 1e-12
 * up to level 99.99. Constant time, but slow: once for all figures.
 */
double interval_normal(double level);

/*
 * How far from its mean, in standard deviations, a normal variable is with probability p on both
 * sides together: interval_normal(100 (1 - p)), but good to 1e-12 for the smallest p, too. p is
 * above 0 and at most 1. Constant time.
 */
double interval_normal_beyond(double p);

/*
 * The same for Student's t with a number of degrees of freedom, from 1: for a mean whose standard
 * deviation is known only from so many values and one more. Good to 1e-9. Linear in the degrees up
 * to 1000, constant beyond.
 */
double interval_student(double level, uint32_t freedom);

/*
 * How likely a variable of that distribution is farther than t from 0, on either side: a p-value.
 * Good to 1e-13; above 1000 degrees that of the normal distribution. Linear as the other.
 */
double interval_student_beyond(double t, uint32_t freedom);

/*
 * The interval of a share of which n of N samples are, at z = interval_normal(level). Wilson's
 * score interval (E. B. Wilson, J. Am. Stat. Assoc. 22:209, 1927), which Brown, Cai and DasGupta
 * recommend for few samples (Statistical Science 16:101, 2001): its ends are the shares that a test
 * would just not refuse, so it stays within [0, 1] and is right at 0 and at N, where n +- sqrt n is
 * not. 0 <= n <= N; without samples, anything from 0 to 1. Neither need be whole.
 */
struct interval interval_share(double n, double all, double z);

/*
 * The number of samples that say as much as those with unequal weights, of which the sum and the
 * sum of squares are given (L. Kish, Survey Sampling, 1965, section 8.2): sum^2 / squares; 0
 * without any. It scales n and N of interval_share() alike.
 */
double interval_effective(double sum, double squares);

/*
 * How far the mean of `runs` values, at least 2, is off at most: t s / sqrt(runs), where s is their
 * standard deviation, from their sum and the sum of their squares, and t is
 * interval_student(level, runs - 1). Not negative, whatever rounding did to the squares.
 */
double interval_runs(double sum, double squares, uint32_t runs, double t);

#endif
