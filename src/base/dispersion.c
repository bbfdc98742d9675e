/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * With N events in n cells the statistic is (n / N) (2 C + N) - N, where C is how many pairs of
 * events share a cell. Any two pairs do so independently, so mean and variance are simple; three
 * pairs of three events do not, which gives the skewness.
 */
#include "config.h"

#include "base/dispersion.h"

#include <math.h>

/*
 * At a larger skewness, pairs are so rare that none is expected; then telling_pairs or more
 * show that events are uneven.
 */
static const double most_skewness = 6.0, telling_pairs = 2.5;

double dispersion_of(double sum, double squares, uint32_t n)
{
	double x = sum > 0.0 ? n * squares / sum - sum : 0.0;

	return x > 0.0 ? x : 0.0;
}

/* The third central moment of the number of pairs. */
static double dispersion_third(double events, double n)
{
	double p = 1.0 / n, step = 2.0 * n / events, pairs = events * (events - 1.0) / 2.0;
	double third = pairs * p * (1.0 - p) * (1.0 - 2.0 * p);

	if (events > 2.0)
		third += events * (events - 1.0) * (events - 2.0) * p * p * (1.0 - p);
	return step * step * step * third;
}

/*
 * The largest value of the statistic that chance explains at z standard deviations, plus half the
 * distance between the values that it can have (a correction for continuity).
 */
static double dispersion_bound(double events, double n, double z)
{
	double variance = 2.0 * (n - 1.0) * (events - 1.0) / events, deviation = sqrt(variance);
	double skewness = dispersion_third(events, n) / (variance * deviation), root;

	if (skewness > most_skewness)
		return n / events * (2.0 * telling_pairs + events) - events;
	if (skewness < 1e-6) /* two cells and two events: every outcome is equally likely */
		return n - 1.0 + z * deviation + n / events;
	root = 1.0 + skewness * z / 6.0 - skewness * skewness / 36.0;
	return n - 1.0 + deviation * 2.0 / skewness * (root * root * root - 1.0) + n / events;
}

bool dispersion_is_uneven(double sum, double squares, uint32_t n, double z)
{
	return n > 1 && sum >= 2.0 && dispersion_of(sum, squares, n) > dispersion_bound(sum, n, z);
}
