/* SPDX-License-Identifier: MIT */
/* Places to sample at. See pace.h. */
#include "pace.h"

/* The finalizer of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * OOPSLA 2014), so that seeds that differ little give numbers that differ much. */
static uint64_t pace_mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

void pace_seed(struct pace *pace, uint64_t seed)
{
	pace->random = pace_mix(seed) | 1;
	pace->next = 0;
}

/* xorshift64*: S. Vigna, An experimental exploration of Marsaglia's xorshift generators, ACM TOMS
 * 42(4), 2016. */
uint32_t pace_random(struct pace *pace, uint32_t n)
{
	uint64_t x = pace->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	pace->random = x;
	return (uint32_t)((x * UINT64_C(0x2545f4914f6cdd1d) >> 32) * n >> 32);
}

static void pace_draw(struct pace *pace, const struct pace_rule *rule)
{
	pace->next = pace->edge + pace->steady + pace_random(pace, rule->play);
	pace->edge += rule->period;
}

void pace_start(struct pace *pace, const struct pace_rule *rule, uint64_t begin)
{
	pace->steady = pace_random(pace, rule->period - rule->play);
	pace->edge = begin;
	pace_draw(pace, rule);
}

uint32_t pace_take(struct pace *pace, const struct pace_rule *rule, uint64_t now)
{
	enum { FEW = 16 };
	uint64_t n = 0;

	while (pace->next <= now) {
		/* Each of the periods that are over has one place, wherever. */
		uint64_t over = now > pace->edge ? (now - pace->edge) / rule->period : 0;

		n++;
		if (over > FEW) {
			n += over;
			pace->edge += over * rule->period;
		}
		pace_draw(pace, rule);
	}
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}
