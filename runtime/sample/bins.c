/* SPDX-License-Identifier: MIT */
/* Bins of ticks. See bins.h. All loops are linear in the number of bins. */
#include "sample/bins.h"

#include "base/sys.h"

/* Histograms begin and end at multiples of this number of bytes: the code of two bins. */
enum { BINS_WORD = 2 * GMON_LIVE_BIN_CODE };

static uintptr_t bins_low(uintptr_t low)
{
	return low & ~(uintptr_t)(BINS_WORD - 1);
}

/* Returns how many bins cover [low, high); 0: none, or more than the profile's format allows. */
static size_t bins_needed(uintptr_t low, uintptr_t high)
{
	size_t n = high > low ? (high - low + BINS_WORD - 1) / BINS_WORD * 2 : 0;

	return n <= UINT32_MAX ? n : 0;
}

static size_t bins_bytes(size_t n)
{
	return sizeof(struct bins) + n * sizeof(uint32_t);
}

struct bins *bins_new(uintptr_t low, uintptr_t high)
{
	size_t n = bins_needed(bins_low(low), high);

	return n ? count_block_new(GMON_LIVE_BINS, bins_bytes(n), n, bins_low(low)) : NULL;
}

struct bins *bins_find(uintptr_t low, uintptr_t high)
{
	for (struct count_block *block = count_block_first(); block;
	     block = count_block_next(block)) {
		struct bins *bins = bins_of(block);

		if (bins && block->low == bins_low(low) &&
		    bins_number(bins) == bins_needed(bins_low(low), high))
			return bins;
	}
	return NULL;
}

struct bins *bins_private(uintptr_t low, uintptr_t high)
{
	size_t n = bins_needed(bins_low(low), high);
	struct bins *bins = n ? sys_memory(bins_bytes(n)) : NULL;

	if (!bins)
		return NULL;
	bins->head.word = n;
	bins->head.low = bins_low(low);
	return bins;
}

void bins_free(struct bins *bins)
{
	if (bins)
		sys_munmap(bins, bins_bytes(bins_number(bins)));
}

uint64_t bins_sum(const struct bins *bins)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < bins_number(bins); i++)
		sum += bins_ticks(bins, i);
	return sum;
}

void bins_zero(struct bins *bins)
{
	for (size_t i = 0; i < bins_number(bins); i++)
		if (bins_ticks(bins, i))
			__atomic_store_n(&bins->tick[i], 0, __ATOMIC_RELAXED);
}
