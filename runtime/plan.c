/* SPDX-License-Identifier: MIT */
/* How often to look. See plan.h. */
#include "plan.h"

#include <stddef.h>
#include <time.h>

#include "sys.h"

enum { NS = 1000000000 };

uint32_t plan_most(void)
{
	long step[2] = { 0, 0 };

	/* Of the coarse clock: the kernel's tick. */
	if (sys_failed(SYS2(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, step)) || step[0] ||
	    step[1] <= 0)
		return UINT32_MAX;
	return (uint32_t)((NS + step[1] / 2) / step[1]);
}

struct plan plan_make(uint32_t rate, bool jitter)
{
	/* Of a period, so that looks drift through all phases of it: 1 - 1 / golden ratio. */
	const uint64_t step_share = 381966;
	const uint32_t most = plan_most();
	struct plan plan = { .pace.period = NS / rate };
	const uint64_t period = plan.pace.period;

	plan.tick = most == UINT32_MAX ? 0 : NS / most;
	/* The nearer the rate is to that of the kernel's ticks, the less there is to choose. */
	if (jitter && period >= 2 * (uint64_t)plan.tick)
		plan.pace.play = plan.pace.period;
	else if (jitter && period > plan.tick)
		plan.pace.play = (uint32_t)(period * (period - plan.tick) / plan.tick);
	plan.step =
		plan.pace.play ? (uint32_t)(period * step_share / 1000000) + 1 : plan.pace.period;
	plan.look = plan.step > plan.tick ? plan.step : plan.tick;
	return plan;
}
