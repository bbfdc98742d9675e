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

/*
 * Returns the prefix that shows the longest time of a call with one to three digits before the
 * point; no prefix if times of calls are not shown. Linear in symbols.
 */
const struct prefix *prefix_choose(const struct text *t);

/* Returns the prefix that scales x to between 1 and 1000, or as near as possible; none for 0. */
const struct prefix *prefix_of(double x);

#endif
