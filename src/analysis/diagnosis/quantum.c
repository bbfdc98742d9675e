/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clocks of Linux tick 100, 250, 300 or 1000 times a second. Where a sample counts as n ticks,
 * most bins with one sample hold n, and few n - 1 or n + 1. If samples counted as one tick, more
 * bins would hold 1 than n.
 */
#include "config.h"

#include "analysis/diagnosis/quantum.h"

enum { LEAST_BINS = 8 };

static const uint32_t clocks[] = { 100, 250, 300, 1000 };

enum { NCLOCKS = sizeof(clocks) / sizeof(clocks[0]), FASTEST = 1000, ABSURD = 1000000 };

/*
 * How many bins hold exactly the ticks of a sample, one tick more or less than these, and 1; for
 * one of the kernel's clocks.
 */
struct quantum_bins {
	uint32_t ticks;
	uint64_t exact, beside, single;
};

static void quantum_see(struct quantum_bins *bins, uint64_t ticks)
{
	bins->exact += ticks == bins->ticks;
	bins->beside += ticks + 1 == bins->ticks || ticks == bins->ticks + 1;
	bins->single += ticks == 1;
}

static void quantum_see_all(struct quantum_bins bins[NCLOCKS], const struct hist *hist)
{
	for (uint32_t bin = 0; bin < hist->nbins; bin++) {
		for (int i = 0; i < NCLOCKS && hist->ticks[bin] > 0; i++)
			quantum_see(&bins[i], hist->ticks[bin]);
	}
}

static bool quantum_is_shown(const struct quantum_bins *bins)
{
	return bins->ticks > 1 && bins->exact >= LEAST_BINS && bins->exact > 2 * bins->single &&
	       2 * bins->exact >= 3 * bins->beside;
}

struct quantum quantum_of(const struct profile *prof, bool linux_clock)
{
	struct quantum_bins bins[NCLOCKS] = { { 0 } };
	const struct quantum_bins *best = NULL;
	uint32_t rate = prof->unit.rate;

	for (int i = 0; i < NCLOCKS; i++)
		bins[i].ticks = rate / clocks[i] + (rate % clocks[i] > clocks[i] / 2);
	for (size_t i = 0; i < prof->hists.n && rate > clocks[0]; i++)
		quantum_see_all(bins, &prof->hists.at[i]);
	for (int i = 0; i < NCLOCKS; i++) {
		if (quantum_is_shown(&bins[i]) && (!best || bins[i].exact > best->exact))
			best = &bins[i];
	}
	if (best)
		return (struct quantum){ best->ticks, true };
	if (linux_clock && rate > FASTEST && rate <= ABSURD)
		return (struct quantum){ rate / FASTEST, false };
	return (struct quantum){ 1, false };
}
