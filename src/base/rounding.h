/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds numbers so that their sum stays right. */
#ifndef BASE_ROUNDING_H
#define BASE_ROUNDING_H

#include <stdint.h>

/*
 * Turns the parts of a sum into whole numbers, one after the other: a part becomes the rounded sum
 * of all parts so far, less the whole numbers of the parts before it. So the whole numbers add up
 * to the rounded sum, each differs from its part by less than 1, and a part of 0 becomes 0. Their
 * sum is limited to INT64_MAX, the largest number in other programs' formats.
 */
struct rounding {
	double scale;   /* the factor for all parts; not negative */
	double sum;     /* the sum of the parts so far, without the factor */
	uint64_t given; /* the sum of the whole numbers so far */
};

/* Returns x * scale as the nearest whole number. x and scale are not negative. */
static inline uint64_t rounding_nearest(double x, double scale)
{
	double whole = x * scale + 0.5;

	if (!(whole > 0.0))
		return 0;
	return whole < (double)INT64_MAX ? (uint64_t)whole : (uint64_t)INT64_MAX;
}

/* Returns the whole number for the next part. */
static inline uint64_t rounding_next(struct rounding *r, double part)
{
	uint64_t before = r->given, now;

	r->sum += part;
	now = rounding_nearest(r->sum, r->scale);
	if (now > before)
		r->given = now;
	return r->given - before;
}

#endif
