/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole numbers in place of real ones, so that they add up to what the real ones add up to. */
#ifndef BASE_ROUNDING_H
#define BASE_ROUNDING_H

#include <stdint.h>

/*
 * The parts of a sum, one after the other: each is what the rounded sum of all so far exceeds that
 * of those before it by. So each is off by less than 1, nothing stays nothing, and all together are
 * the rounded sum. What does not fit stops at INT64_MAX, which the formats of others can hold.
 */
struct rounding {
	double scale; /* what one becomes */
	double sum;   /* of the real parts so far */
	uint64_t given;
};

/* x scaled, to the nearest whole number. x and scale are not negative. */
static inline uint64_t rounded(double x, double scale)
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
	now = rounded(r->sum, r->scale);
	if (now > before)
		r->given = now;
	return r->given - before;
}

#endif
