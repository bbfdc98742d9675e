/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads when samples were taken from gmon.out.live: blocks SLICES and TIMELINE of gmon_live.h. */
#ifndef IO_PROFILE_LIVE_SLICES_H
#define IO_PROFILE_LIVE_SLICES_H

#include "base/index.h"
#include "io/profile/live_objects.h"

/* A record of a block of samples or slices. */
struct live_cell {
	uint64_t from, self, ticks;
};

/* Returns record k of a block in a file with pointers of `width` bytes. */
static inline struct live_cell live_cell_at(const struct live_span *s, uint64_t k, unsigned width,
					    bool big_endian)
{
	const unsigned char *p = s->bytes + k * GMON_LIVE_CELL_BYTES(width);

	return (struct live_cell){ cursor_bytes_uint(p, width, big_endian),
				   cursor_bytes_uint(p + width, width, big_endian),
				   cursor_bytes_uint(p + 2 * width, 8, big_endian) };
}

/* The sample that was made of a cell. The same stack may have several cells. */
struct live_noted {
	uint64_t from, self;
	uint64_t room;   /* ticks that are in no slice so far */
	uint32_t sample; /* its index */
	uint32_t next;   /* index of another one of the same stack, or INDEX_NONE */
};

/* What slices refer to; all zero: no samples. */
struct live_slices {
	ARRAY(struct live_noted) noted;
	ARRAY(struct live_noted) more; /* further cells of the same stacks */
	struct index index;
};

/* Notes that a cell has become a sample. Expected constant time. */
void live_slices_note(struct live_slices *slices, const struct live_cell *cell, uint32_t sample,
		      struct arena *mem);

/*
 * Adds the timeline, unless it makes no sense, and the slices of blocks to rec. Slices get the
 * length of the longest. Those that refer to no sample, or have more ticks than it, are left out or
 * cut. Linear.
 */
void live_slices_add(struct recorded *rec, struct live_slices *slices, const live_spans *blocks,
		     const struct recorded_timeline *timeline, const struct records *r,
		     struct arena *mem);

#endif
