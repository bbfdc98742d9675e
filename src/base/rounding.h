/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole numbers in place of real ones, so that they add up to what the real ones add up to. */
#ifndef BASE_ROUNDING_H
#define BASE_ROUNDING_H

#include <stdint.h>

/*
 * Turns the parts of a sum into whole numbers, one after the other: a part gets the rounded sum of
 * all parts so far, less what the parts before it got. So all together are the rounded sum, each is
 * off by less than 1, and a part of 0 gets 0. Their sum stops at INT64_MAX, which other
 * programs' formats can hold.
 */
struct rounding {
	double scale;   /* what 1 becomes; not negative */
	double sum;     /* of the parts so far, unscaled */
	uint64_t given; /* to them, together */
};

/* x scaled, to the nearest whole number. x and scale are not negative. */
static inline uint64_t rounding_nearest(double x, double scale)
{
	double whole = x * scale + 0.5;

	if (!(whole > 0.0))
		return 0;
	return whole < (double)INT64_MAX ? (uint64_t)whole : (uint64_t)INT64_MAX;
}

/* The next part's whole number. */
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
