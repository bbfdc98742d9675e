/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/ranks/outliers.h"

#include "base/radix.h"

#include <math.h>
#include <stdlib.h>

static const double least_share = 0.01;

/*
 * Share of the mean rank's ticks: the smallest deviation that is assumed, where sampling has no
 * noise.
 */
static const double small_share = 0.01;

/*
 * For a normal distribution, the ratio of the standard deviation to the median absolute deviation.
 */
static const double normal_scale = 1.4826;

struct outliers {
	const struct ranks *ranks;
	struct ranks_outlier *of; /* one entry for each rank */
	double *ticks,
		*sorted; /* ticks of the current function in each rank; and room to sort them */
};

static int outliers_compare(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* Returns the median of n values, which it sorts. */
static double outliers_median(double *values, uint32_t n)
{
	qsort(values, n, sizeof(*values), outliers_compare);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2.0;
}

/* Inserts a deviation if it is among those with the largest distances. */
static void outliers_add(struct ranks_outlier *to, struct ranks_deviation more)
{
	uint32_t at = to->ndeviations;

	to->distance += more.distance * more.distance;
	while (at > 0 && fabs(to->deviation[at - 1].distance) < fabs(more.distance)) {
		if (at < RANKS_DEVIATIONS)
			to->deviation[at] = to->deviation[at - 1];
		at--;
	}
	if (at < RANKS_DEVIATIONS)
		to->deviation[at] = more;
	to->ndeviations += to->ndeviations < RANKS_DEVIATIONS;
}

static void outliers_add_function(struct outliers *o, uint32_t row)
{
	const struct ranks *ranks = o->ranks;
	uint32_t n = ranks->n;
	double median, scale, noise;

	memset(o->ticks, 0, n * sizeof(*o->ticks));
	for (uint32_t i = ranks->of_row[row]; i < ranks->of_row[row + 1]; i++)
		o->ticks[ranks->cell[i].rank] = ranks->cell[i].ticks;
	memcpy(o->sorted, o->ticks, n * sizeof(*o->ticks));
	median = outliers_median(o->sorted, n);
	for (uint32_t r = 0; r < n; r++)
		o->sorted[r] = fabs(o->ticks[r] - median);
	scale = normal_scale * outliers_median(o->sorted, n);
	noise = ranks->exact ? small_share * ranks->mean
			     : sqrt(ranks->per_sample * fmax(median, ranks->per_sample));
	scale = fmax(scale, noise);
	for (uint32_t r = 0; r < n; r++) {
		double off = o->ticks[r] - median;

		if (off != 0.0)
			outliers_add(&o->of[r], (struct ranks_deviation){ row, off / scale, off });
	}
}

const struct ranks_outlier *outliers_find(const struct ranks *ranks, uint32_t *n, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct outliers o = { ranks, arena_array(&scratch, struct ranks_outlier, ranks->n),
			      arena_array(&scratch, double, ranks->n),
			      arena_array(&scratch, double, ranks->n) };
	struct keyed *order = arena_array(&scratch, struct keyed, ranks->n);
	struct ranks_outlier *found = arena_array(mem, struct ranks_outlier, RANKS_OUTLIERS);

	for (uint32_t i = 0; i < ranks->nrows; i++) {
		if (ranks->row[i].max >= least_share * ranks->rank[ranks->most].ticks)
			outliers_add_function(&o, i);
	}
	for (uint32_t r = 0; r < ranks->n; r++) {
		o.of[r].rank = r;
		order[r] = (struct keyed){ radix_key_descending(o.of[r].distance), r };
	}
	radix_sort_keyed(order, ranks->n, &scratch);
	for (*n = 0; *n < ranks->n && *n < RANKS_OUTLIERS && o.of[order[*n].id].distance > 0.0;
	     ++*n)
		found[*n] = o.of[order[*n].id];
	arena_free(&scratch);
	return found;
}
