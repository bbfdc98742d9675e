/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence intervals of figures from samples. */
#ifndef MODEL_CONFIDENCE_H
#define MODEL_CONFIDENCE_H

#include "base/interval.h"

#include <stdbool.h>

/*
 * The data from which confidence_share() makes intervals. An interval is the wider of two: that of
 * interval_share(), which assumes that samples are random, and that from the differences between
 * runs. Neither covers errors that all samples have in common, such as those of an estimate from
 * calls.
 *
 * Arrays have an entry for each symbol: half of the interval of its share of all ticks, as a
 * fraction, from the differences between runs; or CONFIDENCE_UNKNOWN. For unknown entries, and
 * without the array, the excess of all functions together is used.
 */
struct confidence {
	double level; /* percent of intervals that contain the truth; 0: no intervals were asked
			 for, and all other members except `counted` are 0 */
	bool counted; /* intervals were asked for, but ticks are not samples; level is 0 */
	double z;     /* interval_normal(level) */
	double per_sample; /* ticks that have as much information as one sample; 0 or 1: each tick
			      is a sample. More than 1 where the timer is faster than the kernel's
			      clock, or where one signal counted several ticks */
	uint64_t signals;  /* signals that counted all the ticks, as the program recorded; 0: not
			      known */
	double effective;  /* if signals are known: how many samples of one tick have the same
			      information */
	/* number of runs with samples, if it is CONFIDENCE_FILES or more; else 0 */
	uint32_t nfiles;
	/*
	 * If nfiles is not 0: the ratio of the standard deviation between runs to that of sampling,
	 * for all functions together; may be below 1. Those of inclusive time are 0 and NULL
	 * without call stacks.
	 */
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

/*
 * The entry for a part of a symbol's `all` ticks, if the variance of the part exceeds that of
 * chance by the same factor.
 */
double confidence_part(double files, double part, double all);

/*
 * Returns the interval of the share of n in `all` ticks, as fractions; it contains n / all. `files`
 * is an entry of the arrays. n is 0 or more; if it exceeds `all`, by rounding, it counts as `all`.
 * If `all` is 0, the interval is from 0 to 1.
 */
struct interval confidence_share(const struct confidence *c, double n, double all, double files);

#endif
