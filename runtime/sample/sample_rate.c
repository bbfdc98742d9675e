/* SPDX-License-Identifier: MIT */
/* How often to look. See sample_rate.h. */
#include "sample/sample_rate.h"

#include <stddef.h>
#include <time.h>

#include "base/sys.h"

enum { NS = 1000000000 };

uint32_t sample_rate_most(bool exact)
{
	enum { MOST_EXACT = 10000 };
	long step[2] = { 0, 0 };

	if (exact)
		return MOST_EXACT;
	/* Of the coarse clock: the kernel's tick. */
	if (sys_failed(SYS2(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, step)) || step[0] ||
	    step[1] <= 0)
		return UINT32_MAX;
	return (uint32_t)((NS + step[1] / 2) / step[1]);
}

struct sample_rate sample_rate_make(uint32_t rate, bool jitter, bool exact)
{
	/* Of a period, so that looks drift through all phases of it: 1 - 1 / golden ratio. Where a
	 * signal is dear because they are many, 1 / golden ratio: 6 in 100 looks stand for two. */
	const uint64_t step_share = exact ? 618034 : 381966;
	/* A thread may end behind its last look. */
	const uint32_t step_most = exact ? NS / 1000 : UINT32_MAX;
	const uint32_t most = exact ? UINT32_MAX : sample_rate_most(false);
	struct sample_rate plan = { .pace.period = NS / rate };
	const uint64_t period = plan.pace.period;

	plan.tick = most == UINT32_MAX ? 0 : NS / most;
	/* The nearer the rate is to that of the kernel's ticks, the less there is to choose. */
	if (jitter && period >= 2 * (uint64_t)plan.tick)
		plan.pace.play = plan.pace.period;
	else if (jitter && period > plan.tick)
		plan.pace.play = (uint32_t)(period * (period - plan.tick) / plan.tick);
	plan.step =
		plan.pace.play ? (uint32_t)(period * step_share / 1000000) + 1 : plan.pace.period;
	if (jitter && plan.step > step_most)
		plan.step = step_most;
	plan.look = plan.step > plan.tick ? plan.step : plan.tick;
	return plan;
}
