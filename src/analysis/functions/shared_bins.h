/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of the time is in bins that several functions share. */
#ifndef ANALYSIS_FUNCTIONS_SHARED_BINS_H
#define ANALYSIS_FUNCTIONS_SHARED_BINS_H

#include "model/profile.h"
#include "model/symtab.h"

/* From this many percent of the samples in shared bins on, users are told. */
enum { SHARED_BINS_PERCENT = 20 };

struct shared_bins {
	uint64_t ticks, all; /* in bins of several functions, and in all bins with functions */
	uint64_t bytes;      /* width of the widest bins that are shared, rounded down */
};

/*
 * Counts ticks in bins of more than SHARED_BINS_NARROW bytes that have code of several functions;
 * narrower ones divide no more than what instructions straddle. Linear in bins and their symbols.
 */
enum { SHARED_BINS_NARROW = 4 };
struct shared_bins shared_bins_of(const struct profile *prof, const struct symtab *symtab);

/* Whether users are told of them. */
static inline bool shared_bins_matter(const struct shared_bins *bins)
{
	return bins->all > 0 &&
	       (double)bins->ticks * 100.0 >= (double)bins->all * SHARED_BINS_PERCENT;
}

#endif
