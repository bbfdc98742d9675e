/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/diff/chance.h"

#include "base/interval.h"
#include "base/p_values.h"

#include <math.h>
#include <stdlib.h>

double chance_scale(const struct difference *d, int k)
{
	const struct difference_total *total = &d->total[k];

	if (d->normalized)
		return total->samples > 0 ? 100.0 / (double)total->samples : 0.0;
	return total->per_tick / total->nruns;
}

double chance_delta(const struct difference *d, uint64_t n0, uint64_t n1)
{
	return (double)n1 * chance_scale(d, SIDE_NEW) - (double)n0 * chance_scale(d, SIDE_BASE);
}

/*
 * The variance of the difference by chance, in the square of the unit that is shown. Each tick
 * counts as one sample or, if `weighted`, as the share of a sample whose information it has.
 */
static double chance_variance(const struct difference *d, double n0, double n1, bool weighted)
{
	double scale0 = chance_scale(d, SIDE_BASE), scale1 = chance_scale(d, SIDE_NEW);
	double weight0 = weighted ? d->total[SIDE_BASE].per_sample : 1.0;
	double weight1 = weighted ? d->total[SIDE_NEW].per_sample : 1.0;

	return weight0 * n0 * scale0 * scale0 + weight1 * n1 * scale1 * scale1;
}

/*
 * Degrees of freedom of a sum of variances are computed by Satterthwaite's method (Biometrics
 * 2:110).
 */
struct chance_error chance_error(const struct difference *d, struct difference_excess excess,
				 double n0, double n1)
{
	const struct difference_variance *spread = &d->variance;
	double scale0 = chance_scale(d, SIDE_BASE), scale1 = chance_scale(d, SIDE_NEW);
	double single = chance_variance(d, n0, n1, false), squares, common, own, freedom;
	double chance = chance_variance(d, n0, n1, true);
	struct chance_error error = { sqrt(chance), UINT32_MAX };

	if (difference_is_exact(d))
		return (struct chance_error){ 0.0, UINT32_MAX };
	if (!d->repeated || spread->freedom == 0)
		return error;
	if (excess.freedom > 0)
		return (struct chance_error){ sqrt(single * excess.ratio), excess.freedom };
	squares = n0 * n0 * scale0 * scale0 / d->total[SIDE_BASE].nruns +
		  n1 * n1 * scale1 * scale1 / d->total[SIDE_NEW].nruns;
	common = spread->common * squares;
	own = spread->own * squares;
	/*
	 * Events are counted, not sampled, so runs may differ by less than chance would make
	 * samples differ.
	 */
	if (d->counted)
		chance = single = single * fmin(spread->excess, 1.0);
	chance = fmax(chance, single * fmax(spread->excess, 1.0));
	if (chance >= single + common + own)
		return (struct chance_error){ sqrt(chance), spread->freedom };
	freedom = (single + common + own) * (single + common + own) /
		  (common * common / spread->common_freedom +
		   (own > 0.0 ? own * own / spread->own_freedom : 0.0));
	error.deviation = sqrt(single + common + own);
	if (freedom < UINT32_MAX)
		error.freedom = freedom > 1.0 ? (uint32_t)freedom : 1;
	return error;
}

/* The p-value of the exact test for single runs, in which each tick counts as one sample. */
static double chance_exact(const struct difference *d, uint64_t n0, uint64_t n1, double own)
{
	const struct difference_total *base = &d->total[SIDE_BASE], *new = &d->total[SIDE_NEW];
	double rate0 = base->nruns / base->per_tick, rate1 = new->nruns / new->per_tick;

	if (d->normalized)
		return p_values_shares(n0, base->samples, n1, new->samples, own);
	return p_values_binomial(n0, n1, rate1 / (rate0 + rate1), own);
}

double chance_p(const struct difference *d, struct difference_excess excess, uint64_t n0,
		uint64_t n1, double own)
{
	double p, single, weighted;

	if (n0 + n1 == 0 || (d->counted && chance_delta(d, n0, n1) == 0.0))
		return 1.0;
	if (difference_is_exact(d))
		return 0.0;
	if (d->repeated) {
		struct chance_error error = chance_error(d, excess, (double)n0, (double)n1);

		return interval_student_beyond(chance_delta(d, n0, n1) / error.deviation,
					       error.freedom);
	}
	p = chance_exact(d, n0, n1, own);
	single = chance_variance(d, (double)n0, (double)n1, false);
	weighted = chance_variance(d, (double)n0, (double)n1, true);
	if (!(weighted > single) || !(p > 0.0))
		return p;
	return erfc(interval_normal_beyond(p) * sqrt(single / weighted) * M_SQRT1_2);
}

static int chance_order(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

double chance_threshold(double *p, size_t n, double level)
{
	double threshold = -1.0;

	qsort(p, n, sizeof(*p), chance_order);
	for (size_t i = 0; i < n && p[i] <= (100.0 - level) / 100.0 / (double)(n - i); i++)
		threshold = p[i];
	return threshold;
}

double chance_first_level(size_t n, double level)
{
	return 100.0 - (100.0 - level) / (n > 0 ? (double)n : 1.0);
}
