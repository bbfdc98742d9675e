/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence intervals of figures from samples. */
#ifndef MODEL_CONFIDENCE_H
#define MODEL_CONFIDENCE_H

#include "base/interval.h"

#include <stdbool.h>

/*
 * What confidence_share() makes intervals from. An interval is that of interval_share(), for
 * samples that fall by chance, or, if wider, the one from the differences between runs. Neither
 * covers errors that all samples have in common, such as those of an estimate from calls.
 *
 * Arrays have an entry for each symbol: half of the interval of its share of all ticks, as a
 * fraction, from the differences between runs; or CONFIDENCE_UNKNOWN. For unknown entries, and
 * without the array, the excess of all functions together is used.
 */
struct confidence {
	double level; /* percent of intervals that hold the truth; 0: no intervals were asked for,
			 and all other members except `counted` are 0 */
	bool counted; /* intervals were asked for, but ticks are not samples; level is 0 */
	double z;     /* interval_normal(level) */
	double per_sample; /* ticks that have the information of one sample; 0 or 1: a tick is a
			      sample. More where the timer is faster than the kernel's clock, or
			      where signals brought several ticks */
	uint64_t signals;  /* signals that brought all ticks, as the program recorded; 0: unknown */
	double effective;  /* with signals: the number of samples of one tick with the same
			      information */
	uint32_t nfiles;   /* runs with samples if they are CONFIDENCE_FILES or more, else 0 */
	/* With nfiles: the ratio of the standard deviation between runs to that of sampling, for
	 * all functions together; may be below 1. Those of inclusive time are 0 and NULL without
	 * call stacks. */
	double excess, inclusive_excess;
	const double *self, *inclusive;
};

#define CONFIDENCE_UNKNOWN (-1.0)
enum { CONFIDENCE_FILES = 3 }; /* fewer runs say little about their differences */

/* The entry of a symbol in `self` or `inclusive`, which may be NULL. */
static inline double confidence_files(const double *array, uint32_t symbol)
{
	return array ? array[symbol] : CONFIDENCE_UNKNOWN;
}

/* The same for a part of a symbol's `all` ticks, if it varies as much beyond chance as all do. */
double confidence_part(double files, double part, double all);

/*
 * The interval of the share of n in `all` ticks, as fractions; it holds n / all. `files` is an
 * entry of the arrays. n is 0 or more; above `all`, by rounding, it counts as `all`. If `all` is 0,
 * the interval is from 0 to 1.
 */
struct interval confidence_share(const struct confidence *c, double n, double all, double files);

#endif
