/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The unit in which columns show the time of one call. */
#ifndef REPORT_PREFIX_H
#define REPORT_PREFIX_H

#include "report/text.h"

/* A metric prefix, and how many prefixed units are one plain unit. */
struct prefix {
	char letter;
	double per_unit;
};

/* Width of each column of calls and of times of a call; a blank comes before it. */
enum { PREFIX_WIDTH = 8 };

/*
 * Returns the prefix that shows the longest time of a call with one to three digits before the
 * point; no prefix if times of calls are not shown. Linear in symbols.
 */
const struct prefix *prefix_choose(const struct text *t);

/* Returns the prefix that scales x to between 1 and 1000, or as near as possible; none for 0. */
const struct prefix *prefix_of(double x);

/*
 * Writes the first n columns of: a symbol's calls, and each of two times, in ticks of all its
 * calls, by call. Columns of what is not known are blank. n is 0, 1 or 3.
 */
void prefix_write_calls(const struct text *t, sym_id s, const struct prefix *prefix,
			const double ticks[2], unsigned n, struct output *out);

#endif
