/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far from the truth figures may be that come from samples. */
#ifndef MODEL_CONFIDENCE_H
#define MODEL_CONFIDENCE_H

#include "base/interval.h"

#include <stdbool.h>

/*
 * What intervals are made of. Samples that fall by chance make those of interval_share(). With the
 * data files of several runs there is what these differ by, too, and the wider counts. Neither
 * knows of errors that all samples have in common, such as those of an estimate from calls.
 *
 * Arrays have an entry for each symbol, by its id: half the interval of its share of all ticks, by
 * what data files differ in it; or CONFIDENCE_UNKNOWN, and so is each if there is no array: then
 * what files differ by in the mean of all functions stands for it.
 */
struct confidence {
	double level;      /* percent of cases in which an interval holds the truth; 0: nobody asks
			      for intervals, and nothing below is there */
	bool counted;      /* they were asked for, but ticks are no samples: level is 0 */
	double z;          /* for the level, as interval_normal() has it */
	double per_sample; /* ticks that tell as much as one sample: 0 or 1 for one, what a timer
			      that is faster than the kernel's clock gives one, or as `effective`
			      has it */
	uint64_t signals;  /* that brought all ticks, as the program recorded it; 0: not known */
	double effective;  /* with signals: as many of one tick each tell as much */
	uint32_t nfiles;   /* with samples, if they are as many as it takes to know what they differ
			      by, else 0 */
	/* With nfiles, of the deviation between files to that of sampling, in the mean of all
	 * functions, by self time and by inclusive: may be below 1. The latter is 0 without call
	 * stacks. */
	double excess, inclusive_excess;
	const double *self, *inclusive; /* with nfiles; inclusive with call stacks only */
};

#define CONFIDENCE_UNKNOWN (-1.0)
enum { CONFIDENCE_FILES = 3 }; /* with fewer, hardly anything is known of what they differ by */

/* What files differ by, of a symbol; array is `self` or `inclusive`. */
static inline double confidence_files(const double *array, uint32_t symbol)
{
	return array ? array[symbol] : CONFIDENCE_UNKNOWN;
}

/* The same of a part of a symbol's ticks, as if that differed as much from chance as all of them.
 */
double confidence_part(double files, double part, double all);

/*
 * The interval of the share that n of `all` ticks are, which holds n / all; `files` as the arrays
 * have it. n is not negative; what it is above `all`, by rounding, is dropped. Of no ticks at all,
 * anything from 0 to 1.
 */
struct interval confidence_share(const struct confidence *c, double n, double all, double files);

#endif
