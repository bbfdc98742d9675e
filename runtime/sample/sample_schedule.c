/* SPDX-License-Identifier: MIT */
/* Places to sample at. See sample_schedule.h. */
#include "sample/sample_schedule.h"

/* The finalizer of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * OOPSLA 2014), so that seeds that differ little give numbers that differ much. */
static uint64_t sample_schedule_mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

void sample_schedule_seed(struct sample_schedule *pace, uint64_t seed)
{
	pace->random = sample_schedule_mix(seed) | 1;
	pace->next = 0;
}

/* xorshift64*: S. Vigna, An experimental exploration of Marsaglia's xorshift generators, ACM TOMS
 * 42(4), 2016. */
uint32_t sample_schedule_random(struct sample_schedule *pace, uint32_t n)
{
	uint64_t x = pace->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	pace->random = x;
	return (uint32_t)((x * UINT64_C(0x2545f4914f6cdd1d) >> 32) * n >> 32);
}

static void sample_schedule_draw(struct sample_schedule *pace,
				 const struct sample_schedule_rule *rule)
{
	pace->next = pace->edge + pace->steady + sample_schedule_random(pace, rule->play);
	pace->edge += rule->period;
}

void sample_schedule_start(struct sample_schedule *pace, const struct sample_schedule_rule *rule,
			   uint64_t begin)
{
	pace->steady = sample_schedule_random(pace, rule->period - rule->play);
	pace->edge = begin;
	sample_schedule_draw(pace, rule);
}

uint32_t sample_schedule_take(struct sample_schedule *pace, const struct sample_schedule_rule *rule,
			      uint64_t now)
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
		sample_schedule_draw(pace, rule);
	}
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}
