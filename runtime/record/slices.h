/* SPDX-License-Identifier: MIT */
/*
 * GMON=slices: when the ticks of stacks were counted. Elapsed time is divided into slices, of which
 * there are at most as many as the setting says. They begin with a length of SLICES_NS; each time
 * the recording has become too long for them, they are twice as long:
 *
 *     at most 4 slices     level 0  |0|1|2|3|
 *                          level 1          | 2 | 3 |
 *                          level 2                  |   2   |   3   |
 *
 * A recorder has a table of its ticks in slices (gmon_live.h). What was counted in short slices
 * stays as it is; who reads the tables merges these with their neighbours, pairwise, until all have
 * the length of the longest. So a tick costs a look at the clock and an addition, and the memory is
 * bounded: without room ticks are in no slice, which readers see from the sums.
 *
 * Async-signal-safe, without locks, except slices_start().
 */
#ifndef RECORD_SLICES_H
#define RECORD_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include <gmon_ext.h>

#include "count/table.h"

enum { SLICES_SHIFT = 22, SLICES_NS = 1 << SLICES_SHIFT /* nanoseconds of the first slices */ };

/* To be called when a recording with stacks starts for the first time. */
void slices_start(void);

/* In the child of a fork, after count_block_renew_all(): its slices begin now. */
void slices_forked(void);

/* Makes the table of a recorder. NULL: none is wanted, or there is no memory. */
struct table *slices_table(void);

/* When ticks were. All zero: now. */
struct slices_time {
	uint64_t ns;    /* they are those of so many nanoseconds; 0: of a moment */
	uint64_t until; /* the end of these, by CLOCK_MONOTONIC; 0: now */
};

/*
 * Adds ticks of a cell of samples (gmon_live.h) to a recorder's table, which may be NULL: to the
 * slices of their time in proportion. At most as many additions as there are slices. In a closed
 * sandbox ticks are in no slice, since the clock cannot be asked.
 */
void slices_add(struct table **newest, uintptr_t from, uintptr_t self, uint64_t ticks,
		struct slices_time time);

/* Returns the level of a cell of slices. */
static inline uint32_t slices_level(uintptr_t from)
{
	return (uint32_t)((from - GMON_LIVE_NODE) >> GMON_LIVE_LEVEL);
}

/* Returns the number of a cell's slice, among those of its level. */
static inline uint32_t slices_index(uintptr_t self)
{
	return (uint32_t)(self >> GMON_LIVE_SLICE);
}

/* Returns the key of the cell of samples whose ticks a cell of slices has. */
static inline uintptr_t slices_from(uintptr_t from)
{
	const uintptr_t node = (from - GMON_LIVE_NODE) & (((uintptr_t)1 << GMON_LIVE_LEVEL) - 1);

	return node + GMON_LIVE_NODE;
}

static inline uintptr_t slices_self(uintptr_t self)
{
	return self & (((uintptr_t)1 << GMON_LIVE_SLICE) - 1);
}

#endif
