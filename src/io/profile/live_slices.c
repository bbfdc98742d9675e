/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gmon_live.h"
#include "io/profile/live_slices.h"

enum { LEVELS = 32 };

INDEX_KEY(live_slices_key, struct live_noted, x->from, x->self)

void live_slices_note(struct live_slices *slices, const struct live_cell *cell, uint32_t sample,
		      struct arena *mem)
{
	struct live_noted noted = { cell->from, cell->self, cell->ticks, sample, INDEX_NONE };
	size_t before = slices->noted.n;
	uint32_t place = index_intern(&slices->index, &slices->noted, &noted, live_slices_key, mem);

	if (place >= before)
		return;
	noted.next = slices->noted.at[place].next;
	array_push(mem, &slices->more) = noted;
	slices->noted.at[place].next = (uint32_t)slices->more.n - 1;
}

static uint32_t live_slices_level(uint64_t from)
{
	return (uint32_t)((from - GMON_LIVE_NODE) >> GMON_LIVE_LEVEL) % LEVELS;
}

/* Whether a cell has ticks in a slice that may exist. */
static bool live_slices_is_used(const struct live_cell *cell,
				const struct recorded_timeline *timeline)
{
	return cell->from > GMON_LIVE_FROM_CLAIMED && cell->ticks > 0 &&
	       cell->self >> GMON_LIVE_SLICE < timeline->nslices;
}

/* Adds as many ticks to a sample's slice as it has room for; returns the others. */
static uint64_t live_slices_fill(struct recorded *rec, struct live_noted *noted, uint32_t slice,
				 uint64_t ticks, struct arena *mem)
{
	uint64_t n = ticks < noted->room ? ticks : noted->room;

	if (n > 0)
		array_push(mem, &rec->slices) = (struct recorded_slice){ noted->sample, slice, n };
	noted->room -= n;
	rec->slice_ticks += n;
	return ticks - n;
}

/* Adds a cell, whose slice has this number among slices of the common length. */
static void live_slices_cell(struct recorded *rec, struct live_slices *slices,
			     const struct live_cell *cell, uint32_t slice, struct arena *mem)
{
	uint64_t node = (cell->from - GMON_LIVE_NODE) % (UINT64_C(1) << GMON_LIVE_LEVEL);
	const struct live_noted wanted = { node + GMON_LIVE_NODE,
					   cell->self % (UINT64_C(1) << GMON_LIVE_SLICE), 0, 0, 0 };
	uint32_t place = index_lookup(&slices->index, slices->noted.at, live_slices_key, &wanted);
	uint64_t ticks = cell->ticks;

	if (place == INDEX_NONE)
		return;
	ticks = live_slices_fill(rec, &slices->noted.at[place], slice, ticks, mem);
	for (uint32_t at = slices->noted.at[place].next; ticks > 0 && at != INDEX_NONE;
	     at = slices->more.at[at].next)
		ticks = live_slices_fill(rec, &slices->more.at[at], slice, ticks, mem);
}

/* Returns the level of the longest slices with ticks. */
static uint32_t live_slices_longest(const live_spans *blocks,
				    const struct recorded_timeline *timeline,
				    const struct records *r)
{
	uint32_t longest = 0;

	for (size_t i = 0; i < blocks->n; i++) {
		for (uint64_t k = 0; k < blocks->at[i].n; k++) {
			struct live_cell cell = live_cell_at(&blocks->at[i], k, r->target->ptr_size,
							     r->in.big_endian);
			uint32_t level = live_slices_level(cell.from);

			if (live_slices_is_used(&cell, timeline) && level > longest)
				longest = level;
		}
	}
	return longest;
}

/* Whether all times of a timeline fit into 64 bits, with its slices as long as they are at a level.
 */
static bool live_slices_fit(const struct recorded_timeline *timeline, uint32_t level)
{
	uint64_t length, end;

	return timeline->nslices > 0 && timeline->nslices <= RECORDED_SLICES &&
	       timeline->slice_ns > 0 &&
	       !__builtin_mul_overflow(timeline->slice_ns, (uint64_t)RECORDED_SLICES << level,
				       &length) &&
	       !__builtin_add_overflow(timeline->start, length, &end);
}

void live_slices_add(struct recorded *rec, struct live_slices *slices, const live_spans *blocks,
		     const struct recorded_timeline *timeline, const struct records *r,
		     struct arena *mem)
{
	struct recorded_timeline common = *timeline;
	uint32_t longest = live_slices_longest(blocks, timeline, r);

	if (!live_slices_fit(timeline, longest))
		return;
	common.recording = 0;
	common.nslices = 0;
	common.slice_ns <<= longest;
	for (size_t i = 0; i < blocks->n; i++) {
		for (uint64_t k = 0; k < blocks->at[i].n; k++) {
			struct live_cell cell = live_cell_at(&blocks->at[i], k, r->target->ptr_size,
							     r->in.big_endian);
			uint32_t slice = (uint32_t)(cell.self >> GMON_LIVE_SLICE);

			if (!live_slices_is_used(&cell, timeline))
				continue;
			slice >>= longest - live_slices_level(cell.from);
			live_slices_cell(rec, slices, &cell, slice, mem);
			if (slice >= common.nslices)
				common.nslices = slice + 1;
		}
	}
	array_push(mem, &rec->timelines) = common;
}
