/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/diff/variance.h"

#include <math.h>

enum { LEAST_MEAN = 5 };

struct variance variance_begin(const struct difference_match *match, double scale,
			       struct arena *mem)
{
	return (struct variance){ .sum = arena_array(mem, double, match->nrows),
				  .squares = arena_array(mem, double, match->nrows),
				  .run = arena_array(mem, double, match->nrows),
				  .scale = scale };
}

void variance_add(struct variance *spread, const struct difference_match *match,
		  enum difference_side side, const struct ticks *ticks, uint32_t nsyms)
{
	double scale =
		spread->scale > 0.0 && ticks->total > 0.0 ? spread->scale / ticks->total : 1.0;

	for (sym_id s = 0; s < nsyms; s++)
		spread->run[match->row[side][s]] += ticks->self[s] * scale;
	for (uint32_t i = 0; i < match->nrows; i++) {
		spread->sum[i] += spread->run[i];
		spread->squares[i] += spread->run[i] * spread->run[i];
		spread->run[i] = 0.0;
	}
	spread->total += ticks->total;
	spread->total_squares += ticks->total * ticks->total;
	spread->nruns++;
}

/* Sums over rows and sides, each of weight R - 1. */
struct variance_moments {
	double beyond;         /* squares of deviations, less what chance makes of them */
	double square, fourth; /* of means */
};

static void variance_add_moments(struct variance_moments *moments, double sum, double squares,
				 uint32_t nruns)
{
	double mean = sum / nruns, weight = nruns - 1;

	moments->beyond += squares - sum * mean - weight * mean;
	moments->square += weight * mean * mean;
	moments->fourth += weight * mean * mean * mean * mean;
}

static double variance_variance(const struct variance_moments *moments)
{
	return moments->beyond > 0.0 && moments->square > 0.0 ? moments->beyond / moments->square
							      : 0.0;
}

/* Of all functions of a run together. */
static double variance_common(const struct variance spreads[SIDES])
{
	struct variance_moments moments = { 0 };

	for (int k = 0; k < SIDES && !(spreads[k].scale > 0.0); k++)
		variance_add_moments(&moments, spreads[k].total, spreads[k].total_squares,
				     spreads[k].nruns);
	return variance_variance(&moments);
}

struct difference_variance variance_fit(const struct variance spreads[SIDES], uint32_t nrows,
					double least)
{
	uint32_t each = spreads[SIDE_BASE].nruns + spreads[SIDE_NEW].nruns - 2;
	struct difference_variance fit = { .excess = 1.0, .common_freedom = each };
	struct variance_moments moments = { 0 };
	double sum = 0.0, all;

	for (uint32_t i = 0; i < nrows; i++) {
		for (int k = 0; k < SIDES; k++) {
			uint32_t nruns = spreads[k].nruns, freedom = nruns - 1;
			double mean = spreads[k].sum[i] / nruns;

			if (mean < LEAST_MEAN || fit.freedom > UINT32_MAX - freedom)
				continue;
			sum += spreads[k].squares[i] / mean - nruns * mean;
			variance_add_moments(&moments, spreads[k].sum[i], spreads[k].squares[i],
					     nruns);
			fit.freedom += freedom;
		}
	}
	if (fit.freedom > 0)
		fit.excess = fmax(sum / fit.freedom, least);
	fit.common = variance_common(spreads);
	all = variance_variance(&moments);
	fit.own = all > fit.common ? all - fit.common : 0.0;
	fit.own_freedom =
		moments.fourth > 0.0 ? moments.square * moments.square / moments.fourth : 0.0;
	return fit;
}
