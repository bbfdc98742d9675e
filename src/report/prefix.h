/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The unit in which columns show the time of one call. */
#ifndef REPORT_PREFIX_H
#define REPORT_PREFIX_H

#include "report/text.h"

/* A metric prefix, and how many of the unit with it the plain one has. */
struct prefix {
	char letter;
	double per_unit;
};

/*
 * The first prefix that shows the longest call with one to three digits before the point; none if
 * no times of calls are shown. Linear in symbols.
 */
const struct prefix *prefix_choose(const struct text *t);

/* The one that brings a number to between 1 and 1000, or as near as there is one; of 0, none. */
const struct prefix *prefix_of(double x);

#endif
