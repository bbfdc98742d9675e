/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many of a profile's ticks one sample stands for. */
#ifndef ANALYSIS_DIAGNOSIS_QUANTUM_H
#define ANALYSIS_DIAGNOSIS_QUANTUM_H

#include "model/profile.h"

/* A timer that is faster than the kernel's clock has samples only when that ticks, each of which
 * stands for several ticks of the timer. */
struct quantum {
	uint32_t ticks; /* 1 or more; */
	bool seen;      /* if the bins show how many; else there may be more, or it is 1 */
};

/*
 * From rate and bins alone. Where no number of ticks stands out among the bins, only a rate above
 * any clock's (1000 a second) tells, and that only if the clock was one of Linux, which is told by
 * `linux_clock`. Linear in the bins.
 */
struct quantum quantum_of(const struct profile *prof, bool linux_clock);

/* How many samples so many ticks are: at least 1, unless there are none. */
static inline uint64_t quantum_samples(const struct quantum *quantum, uint64_t nticks)
{
	uint64_t n = (nticks + quantum->ticks / 2) / quantum->ticks;

	return n == 0 && nticks > 0 ? 1 : n;
}

#endif
