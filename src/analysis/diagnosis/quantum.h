/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out how many of a profile's ticks one sample stands for. */
#ifndef ANALYSIS_DIAGNOSIS_QUANTUM_H
#define ANALYSIS_DIAGNOSIS_QUANTUM_H

#include "model/profile.h"

/* A timer that is faster than the kernel's clock takes a sample only when the clock ticks. Each
 * sample then counts as several ticks of the timer. */
struct quantum {
	uint32_t ticks; /* ticks that one sample counts as: 1 or more */
	bool seen; /* true if the bins show it; false if it was guessed from the rate, or is 1 for
		      lack of evidence */
};

/*
 * Returns the quantum of a profile: from its bins or, if these do not show it, from a rate above
 * 1000 a second, which no clock of Linux reaches; but the rate counts only if the caller knows that
 * samples came from a clock of Linux (`linux_clock`). Linear in the bins.
 */
struct quantum quantum_of(const struct profile *prof, bool linux_clock);

/* Returns how many samples these ticks are; 0 only if there are no ticks. */
static inline uint64_t quantum_samples(const struct quantum *quantum, uint64_t nticks)
{
	uint64_t n = (nticks + quantum->ticks / 2) / quantum->ticks;

	return n == 0 && nticks > 0 ? 1 : n;
}

#endif
