/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/diff/spread.h"

enum { LEAST_MEAN = 5 };

struct spread spread_begin(const struct difference_match *match, double scale, struct arena *mem)
{
	return (struct spread){ .sum = arena_array(mem, double, match->nrows),
				.squares = arena_array(mem, double, match->nrows),
				.run = arena_array(mem, double, match->nrows),
				.scale = scale };
}

void spread_add(struct spread *spread, const struct difference_match *match,
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

double spread_excess(const struct spread spreads[SIDES], uint32_t nrows, uint32_t *freedom)
{
	uint32_t each = spreads[SIDE_BASE].nruns + spreads[SIDE_NEW].nruns - 2;
	double sum = 0.0, excess;

	*freedom = 0;
	for (uint32_t i = 0; i < nrows; i++) {
		double x = 0.0;
		bool enough = true;

		for (int k = 0; k < SIDES; k++) {
			double mean = spreads[k].sum[i] / spreads[k].nruns;

			enough = enough && mean >= LEAST_MEAN;
			x += enough ? spreads[k].squares[i] / mean - spreads[k].nruns * mean : 0.0;
		}
		if (!enough || *freedom > UINT32_MAX - each)
			continue;
		sum += x;
		*freedom += each;
	}
	excess = *freedom > 0 ? sum / *freedom : 1.0;
	return excess > 1.0 ? excess : 1.0;
}
