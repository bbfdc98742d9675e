/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/versus/pairs.h"

#include "base/interval.h"

#include <math.h>

/* Clocks are not better than that, however equal their values are. */
static const double least_seconds = 1e-6;

struct pairs_sums {
	double log[SIDES], ratio, squares;
};

/* Whether all pairs have some of the cost. */
static bool pairs_add(struct pairs_sums *sums, const struct pair *pair, uint32_t n,
		      enum paired_cost cost)
{
	double mean;

	for (uint32_t i = 0; i < n; i++) {
		for (int k = 0; k < SIDES; k++) {
			if (!(pair[i].seconds[k][cost] > 0.0))
				return false;
			sums->log[k] += log(pair[i].seconds[k][cost]);
		}
	}
	mean = (sums->log[SIDE_NEW] - sums->log[SIDE_BASE]) / n;
	for (uint32_t i = 0; i < n; i++) {
		double d = log(pair[i].seconds[SIDE_NEW][cost] / pair[i].seconds[SIDE_BASE][cost]) -
			   mean;

		sums->squares += d * d;
	}
	sums->ratio = mean;
	return n > 0;
}

struct paired_total pairs_compare(const struct pair *pair, uint32_t n, enum paired_cost cost,
				  double nominal)
{
	struct paired_total total = { .verdict = VERDICT_NOISE };
	struct pairs_sums sums = { 0 };
	double error, half, shorter;

	total.known = pairs_add(&sums, pair, n, cost);
	if (!total.known)
		return total;
	for (int k = 0; k < SIDES; k++)
		total.seconds[k] = exp(sums.log[k] / n);
	total.ratio = exp(sums.ratio);
	if (n < 2 || !(nominal > 0.0))
		return total;
	shorter = fmin(total.seconds[SIDE_BASE], total.seconds[SIDE_NEW]);
	total.tested = true;
	total.deviation = fmax(sqrt(sums.squares / (n - 1)), least_seconds / shorter);
	error = total.deviation / sqrt(n);
	half = interval_student(100.0 * (1.0 - nominal), n - 1) * error;
	total.low = exp(sums.ratio - half);
	total.high = exp(sums.ratio + half);
	total.p = interval_student_beyond(fabs(sums.ratio) / error, n - 1);
	if (total.p <= nominal)
		total.verdict = sums.ratio > 0.0 ? VERDICT_MORE : VERDICT_LESS;
	return total;
}

double pairs_detectable(double deviation, uint32_t n, double nominal)
{
	double quantiles = interval_student(100.0 * (1.0 - nominal), n - 1) +
			   interval_student(60.0, n - 1); /* 80 % on one side */

	return 100.0 * expm1(quantiles * deviation / sqrt(n));
}

bool pairs_is_look(uint32_t n)
{
	uint32_t look = PAIRS_LEAST;

	while (look < n)
		look += look < 16 ? 2 : look / 8;
	return look == n;
}
