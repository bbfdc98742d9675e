/* SPDX-License-Identifier: MIT */
/* How often threads are to be looked at, by the rate of samples and the kernel's tick. */
#ifndef SAMPLE_SAMPLE_RATE_H
#define SAMPLE_SAMPLE_RATE_H

#include <stdbool.h>

#include "sample/sample_schedule.h"

/* The same for all threads; all in ns of CPU time. */
struct sample_rate {
	struct sample_schedule_rule pace;
	uint32_t step; /* between the times at which a timer runs out */
	uint32_t look; /* between looks at a thread that runs on: `step`, or the kernel's tick if
			  that is longer */
	uint32_t tick; /* the kernel's; 0: not known */
};

/* For `rate` ticks a second, 1 or more; jitter: at random places. `exact`: by clocks that the
 * kernel's ticks do not bind. */
struct sample_rate sample_rate_make(uint32_t rate, bool jitter, bool exact);

/*
 * How many ticks a second there can be: the kernel looks at the clocks of threads only when its own
 * ticks. UINT32_MAX if it does not say how often that is. With `exact` ones so many that looks take
 * no more than some hundredths of the time.
 */
uint32_t sample_rate_most(bool exact);

#endif
