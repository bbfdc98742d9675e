/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Probabilities of single counts are computed by deviances, as C. Loader does it ("Fast and
 * accurate computation of binomial probabilities", 2000): differences of logarithms of factorials
 * would lose half of the digits at 10^7. A tail is summed from the count outwards; each term is
 * computed from its ratio to the one before.
 */
#include "config.h"

#include "base/p_values.h"

#include <math.h>
#include <stdbool.h>

enum { FACTORIALS = 15 };

/* Relative to the sum so far: smaller terms change nothing. */
static const double least_term = 1e-17;

/* log n! less Stirling's formula; n > 0. */
static double p_values_stirling(double n)
{
	double factorial = 1.0, nn = n * n;

	if (n > FACTORIALS)
		return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / nn) / nn) / nn) / n;
	for (double i = 2.0; i <= n; i++)
		factorial *= i;
	return log(factorial) - (n + 0.5) * log(n) + n - 0.5 * log(2.0 * M_PI);
}

/* x log(x / mean) + mean - x: by its series where the two terms nearly cancel. */
static double p_values_deviance(double x, double mean)
{
	double v = (x - mean) / (x + mean), sum = (x - mean) * v, term = 2.0 * x * v;

	if (fabs(x - mean) >= 0.1 * (x + mean))
		return x * log(x / mean) + mean - x;
	for (double j = 3.0; j < 2000.0; j += 2.0) {
		double before = sum;

		term *= v * v;
		sum += term / j;
		if (sum == before)
			break;
	}
	return sum;
}

/* The probability of k among n events. */
static double p_values_point(double k, double n, double p)
{
	double q = 1.0 - p;

	if (k == 0.0)
		return exp(n * log1p(-p));
	if (k == n)
		return exp(n * log(p));
	return exp(p_values_stirling(n) - p_values_stirling(k) - p_values_stirling(n - k) -
		   p_values_deviance(k, n * p) - p_values_deviance(n - k, n * q)) *
	       sqrt(n / (2.0 * M_PI * k * (n - k)));
}

/*
 * Returns the two-sided p-value from a one-sided one, in which the part `own` of the count's own
 * probability is included.
 */
static double p_values_both(double one, double point, double own)
{
	double other = 1.0 - one + (2.0 * own - 1.0) * point, p = 2.0 * (one < other ? one : other);

	return p < 0.0 ? 0.0 : p > 1.0 ? 1.0 : p;
}

double p_values_binomial(uint64_t n0, uint64_t n1, double q, double own)
{
	double n = (double)n0 + (double)n1, odds = q / (1.0 - q);
	/* Sums from the count away from the mean, where terms decrease. */
	bool up = (double)n1 > n * q;
	double k = up ? (double)n0 : (double)n1, p = up ? 1.0 - q : q;
	double point, term, sum;

	if (n == 0.0)
		return 1.0;
	point = term = p_values_point(k, n, p);
	sum = point * own;
	if (up)
		odds = 1.0 / odds;
	for (; k > 0.0 && term > least_term * sum; k--) {
		term *= k / ((n - k + 1.0) * odds);
		sum += term;
	}
	return p_values_both(sum, point, own);
}

double p_values_shares(uint64_t n0, uint64_t all0, uint64_t n1, uint64_t all1, double own)
{
	double n = (double)n0 + (double)n1, all = (double)all0 + (double)all1;
	bool up = n * (double)all1 < (double)n1 * all;
	double k = (double)(up ? n0 : n1), mine = (double)(up ? all0 : all1), others = all - mine;
	double point, term, sum;

	if (n == 0.0 || n == all || mine == 0.0 || others == 0.0)
		return 1.0;
	point = term = p_values_point(k, mine, n / all) * p_values_point(n - k, others, n / all) /
		       p_values_point(n, all, n / all);
	sum = point * own;
	for (; k > 0.0 && n - k < others && term > least_term * sum; k--) {
		term *= k * (others - n + k) / ((mine - k + 1.0) * (n - k + 1.0));
		sum += term;
	}
	return p_values_both(sum, point, own);
}
