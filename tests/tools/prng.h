/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pseudo-random numbers that are the same on every machine (splitmix64).
 */
#ifndef TESTS_TOOLS_PRNG_H
#define TESTS_TOOLS_PRNG_H

#include <stdbool.h>
#include <stdint.h>

struct prng {
	uint64_t state;
};

static inline uint64_t prng_next(struct prng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* A number from 0 to n - 1; 0 if n is 0. */
static inline uint32_t prng_below(struct prng *r, uint32_t n)
{
	return (uint32_t)((prng_next(r) >> 32) * n >> 32);
}

/* A number from lo to hi, both included. */
static inline uint32_t prng_between(struct prng *r, uint32_t lo, uint32_t hi)
{
	return lo + prng_below(r, hi - lo + 1);
}

static inline bool prng_chance(struct prng *r, uint32_t percent)
{
	return prng_below(r, 100) < percent;
}

#endif
