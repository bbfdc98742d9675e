/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantiles of distributions, and confidence intervals of what was sampled. */
#ifndef BASE_INTERVAL_H
#define BASE_INTERVAL_H

#include <stdint.h>

/* From low to high, both included; low <= high. */
struct interval {
	double low, high;
};

/*
 * The two-sided quantile of the normal distribution: how many standard deviations around the mean
 * contain `level` percent of all cases. level is above 0 and below 100. Good to 1e-12 up to level
 * 99.99. Constant time, but slow: call it once for all figures.
 */
double interval_normal(double level);

/*
 * The number of standard deviations which a normal variable exceeds with probability p, both sides
 * together: interval_normal(100 (1 - p)), but good to 1e-12 also for the smallest p. p is above 0
 * and at most 1. Constant time.
 */
double interval_normal_beyond(double p);

/*
 * The two-sided quantile of Student's t distribution with `freedom` degrees of freedom, at least 1:
 * for a mean whose standard deviation was estimated from freedom + 1 values. Good to 1e-9. Linear
 * in `freedom` up to 1000, constant above.
 */
double interval_student(double level, uint32_t freedom);

/*
 * The probability that a variable of Student's t distribution is farther than t from 0, on either
 * side: a p-value. Good to 1e-13; above 1000 degrees of freedom it is taken from the normal
 * distribution. Costs as interval_student().
 */
double interval_student_beyond(double t, uint32_t freedom);

/*
 * The confidence interval of a share, of which n of `all` samples were found; z is
 * interval_normal(level). It is Wilson's score interval (E. B. Wilson, J. Am. Stat. Assoc. 22:209,
 * 1927), which Brown, Cai and DasGupta recommend for few samples (Statistical Science 16:101,
 * 2001): its ends are the shares that a test would just accept, so it stays within [0, 1] and holds
 * at 0 and at `all`, where n +- sqrt n does not. 0 <= n <= all; both may be fractions. Without
 * samples it is [0, 1].
 */
struct interval interval_share(double n, double all, double z);

/*
 * The effective sample size (L. Kish, Survey Sampling, 1965, section 8.2): how many samples of
 * equal weight would be as accurate as samples of unequal weights with this sum and sum of squares.
 * It is sum^2 / squares, or 0 if there are none. Both n and `all` of interval_share() are scaled by
 * it.
 */
double interval_effective(double sum, double squares);

#endif
