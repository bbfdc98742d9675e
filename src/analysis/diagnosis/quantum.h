/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many of a profile's ticks one sample stands for. */
#ifndef ANALYSIS_DIAGNOSIS_QUANTUM_H
#define ANALYSIS_DIAGNOSIS_QUANTUM_H

#include "model/profile.h"

/* A timer that is faster than the kernel's clock takes a sample only when the clock ticks. Each
 * sample then counts as several ticks of the timer. */
struct quantum {
	uint32_t ticks; /* of a sample: 1 or more */
	bool seen;      /* the bins show it; if not, it is a guess from the rate, or 1 */
};

/*
 * The quantum of a profile, from its bins or, if these do not show it, from its rate: one above
 * 1000 a second, which no clock of Linux has, if the caller knows (`linux_clock`) that it was such
 * a clock. Linear in the bins.
 */
struct quantum quantum_of(const struct profile *prof, bool linux_clock);

/* How many samples these ticks are: 0 only if there are no ticks. */
static inline uint64_t quantum_samples(const struct quantum *quantum, uint64_t nticks)
{
	uint64_t n = (nticks + quantum->ticks / 2) / quantum->ticks;

	return n == 0 && nticks > 0 ? 1 : n;
}

#endif
