/* SPDX-License-Identifier: MIT */
/* When to sample a thread. See sample_schedule.h. */
#include "sample/sample_schedule.h"

#include <time.h>

#include "base/sys.h"

enum { NS = 1000000000 };

uint32_t sample_schedule_max_rate(bool exact)
{
	enum { MOST_EXACT = 10000 };
	long step[2] = { 0, 0 };

	if (exact)
		return MOST_EXACT;
	/* The coarse clock advances at each tick of the kernel. */
	if (sys_failed(SYS2(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, step)) || step[0] ||
	    step[1] <= 0)
		return UINT32_MAX;
	return (uint32_t)((NS + step[1] / 2) / step[1]);
}

struct sample_schedule_rule sample_schedule_make_rule(uint32_t rate, bool jitter, bool exact)
{
	/* If looks do not come at the kernel's ticks: millionths of a period between them, so that
	 * they drift through all its phases: 1 - 1 / golden ratio. Exact clocks send many signals,
	 * so there it is 1 / golden ratio: 6 in 100 looks then count two ticks. */
	const uint64_t share = exact ? 618034 : 381966;
	/* The kernel looks at timers at its ticks only: so each tick is a look, and the timer tells
	 * the CPU time to a 64th of a tick. */
	enum { STEPS_A_TICK = 64 };
	/* What a thread does after its last look is lost, so looks must not be far apart. */
	const uint32_t max_interval = exact ? NS / 1000 : UINT32_MAX;
	const uint32_t tick_rate = sample_schedule_max_rate(false);
	struct sample_schedule_rule rule = { .period = NS / rate };
	const uint64_t period = rule.period;

	rule.account_tick = tick_rate == UINT32_MAX ? 0 : NS / tick_rate;
	rule.kernel_tick = exact ? 0 : rule.account_tick;
	/*
	 * The nearer the period is to the kernel's tick, the fewer points there are to choose from.
	 */
	if (jitter && period >= 2 * (uint64_t)rule.kernel_tick)
		rule.jitter = rule.period;
	else if (jitter && period > rule.kernel_tick)
		rule.jitter = (uint32_t)(period * (period - rule.kernel_tick) / rule.kernel_tick);
	rule.timer_interval = rule.kernel_tick ? rule.kernel_tick / STEPS_A_TICK + 1
			      : rule.jitter    ? (uint32_t)(period * share / 1000000) + 1
					       : rule.period;
	if (jitter && rule.timer_interval > max_interval)
		rule.timer_interval = max_interval;
	rule.look_interval =
		rule.timer_interval > rule.kernel_tick ? rule.timer_interval : rule.kernel_tick;
	return rule;
}

/* The finalizer of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * OOPSLA 2014): seeds that differ little give numbers that differ much. */
static uint64_t sample_schedule_mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

void sample_schedule_seed(struct sample_schedule *schedule, uint64_t seed)
{
	schedule->random = sample_schedule_mix(seed) | 1;
	schedule->next = 0;
}

/* xorshift64*: S. Vigna, An experimental exploration of Marsaglia's xorshift generators, ACM TOMS
 * 42(4), 2016. */
uint32_t sample_schedule_random(struct sample_schedule *schedule, uint32_t n)
{
	uint64_t x = schedule->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	schedule->random = x;
	return (uint32_t)((x * UINT64_C(0x2545f4914f6cdd1d) >> 32) * n >> 32);
}

static void sample_schedule_draw(struct sample_schedule *schedule,
				 const struct sample_schedule_rule *rule)
{
	schedule->next =
		schedule->edge + schedule->offset + sample_schedule_random(schedule, rule->jitter);
	schedule->edge += rule->period;
}

void sample_schedule_start(struct sample_schedule *schedule,
			   const struct sample_schedule_rule *rule, uint64_t begin)
{
	schedule->offset = sample_schedule_random(schedule, rule->period - rule->jitter);
	schedule->edge = begin;
	sample_schedule_draw(schedule, rule);
}

uint32_t sample_schedule_take(struct sample_schedule *schedule,
			      const struct sample_schedule_rule *rule, uint64_t now)
{
	enum { FEW = 16 };
	uint64_t n = 0;

	while (schedule->next <= now) {
		/* Each whole period since then has one point, wherever it is in the period. */
		uint64_t whole = now > schedule->edge ? (now - schedule->edge) / rule->period : 0;

		n++;
		if (whole > FEW) {
			n += whole;
			schedule->edge += whole * rule->period;
		}
		sample_schedule_draw(schedule, rule);
	}
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}
