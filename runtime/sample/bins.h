/* SPDX-License-Identifier: MIT */
/*
 * Bins of ticks: a histogram of where the program counter was, one bin to two bytes of code.
 * Everything here is async-signal-safe; several threads and handlers may add at once.
 */
#ifndef SAMPLE_BINS_H
#define SAMPLE_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count/count_block.h"

/* With GMON=run, gmon.ticked notes for each span of this number of bins whether it has ticks. */
enum { BINS_SPAN = 4096 };

struct bins {
	struct count_block head; /* word: number of bins; low: address of the first */
	_Alignas(64) uint32_t tick[];
};

_Static_assert(offsetof(struct bins, tick) == GMON_LIVE_BLOCK_HEAD, "see gmon_live.h");
_Static_assert(sizeof(((struct bins *)0)->tick[0]) == GMON_LIVE_BIN_BYTES, "see gmon_live.h");

/*
 * Makes a block of empty bins for the code in [low, high), widened to multiples of 4 bytes. Returns
 * NULL if there is no memory, no code, or more than 2^32 - 1 bins.
 */
struct bins *bins_new(uintptr_t low, uintptr_t high);

/* Returns an existing block of bins for exactly that code, or NULL. */
struct bins *bins_find(uintptr_t low, uintptr_t high);

/*
 * Makes bins like bins_new() that are no block: they are in no list and no file. bins_free() frees
 * them.
 */
struct bins *bins_private(uintptr_t low, uintptr_t high);

/* Frees bins_private(), or NULL. */
void bins_free(struct bins *bins);

/* Returns a block as bins if it is of that kind, else NULL. */
static inline struct bins *bins_of(struct count_block *block)
{
	return count_block_is(block, GMON_LIVE_BINS) ? (struct bins *)block : NULL;
}

static inline size_t bins_number(const struct bins *bins)
{
	return bins->head.word;
}

/* Returns the ticks of bin i, which is below bins_number(). */
static inline uint32_t bins_ticks(const struct bins *bins, size_t i)
{
	return __atomic_load_n(&bins->tick[i], __ATOMIC_RELAXED);
}

/* Adds ticks to the bin of pc. Returns false if pc is outside the bins. */
static inline bool bins_add(struct bins *bins, uintptr_t pc, uint32_t ticks)
{
	uintptr_t bin = (pc - bins->head.low) / GMON_LIVE_BIN_CODE;

	if (bin >= bins_number(bins))
		return false;
	__atomic_fetch_add(&bins->tick[bin], ticks, __ATOMIC_RELAXED);
	return true;
}

/* Returns the number of the span that contains the bin of pc; pc must be inside the bins. */
static inline size_t bins_span(const struct bins *bins, uintptr_t pc)
{
	return (pc - bins->head.low) / GMON_LIVE_BIN_CODE / BINS_SPAN;
}

/* Returns the sum of the ticks of all bins. */
uint64_t bins_sum(const struct bins *bins);

/* Sets all bins to zero. Other threads may add ticks at the same time. */
void bins_zero(struct bins *bins);

#endif
