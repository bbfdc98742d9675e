/* SPDX-License-Identifier: MIT */
/* Ticks in slices of the recording. See slices.h. */
#include "record/slices.h"

#include "base/sandbox.h"
#include "sample/clock.h"
#include "state.h"

enum {
	SLICES_CELLS = 64,      /* number of cells of a recorder's first table */
	SLICES_GROWTH = 4,      /* as in table.c */
	SLICES_ROOM = 1 << 19,  /* the most cells of all tables: 16 MiB on 64-bit machines */
	SLICES_LEVELS = 1 << 5, /* levels that a key has room for */
	SLICES_PARTS = 1 << 20, /* into how many parts a time is divided at most */
};

/* What the live file has of the slices. */
struct slices_block {
	struct count_block head; /* word: 1 */
	_Alignas(64) struct gmon_ext_timeline timeline;
};

/* Sets when slices begin, in memory and in the live file. */
static void slices_begin(void)
{
	struct slices_block *block = gmon.slices.block;

	gmon.slices.since = clock_monotonic_ns();
	gmon.slices.start_ns = clock_real_ns();
	if (!block)
		return;
	block->timeline.slices = gmon.settings.slices;
	block->timeline.slice_ns = SLICES_NS;
	block->timeline.start_ns = gmon.slices.start_ns;
}

void slices_start(void)
{
	if (!gmon.settings.slices || sandbox_closed())
		return;
	if (gmon.blocks.apart)
		gmon.slices.block =
			count_block_new(GMON_LIVE_TIMELINE, sizeof(struct slices_block), 1, 0);
	gmon.slices.on = true;
	slices_begin();
}

void slices_forked(void)
{
	if (gmon.slices.on && !sandbox_closed())
		slices_begin();
}

/* Takes room for a table. */
static bool slices_take(size_t ncells)
{
	if (__atomic_add_fetch(&gmon.slices.cells, (uint32_t)ncells, __ATOMIC_RELAXED) <=
	    SLICES_ROOM)
		return true;
	__atomic_fetch_sub(&gmon.slices.cells, (uint32_t)ncells, __ATOMIC_RELAXED);
	return false;
}

struct table *slices_table(void)
{
	return gmon.slices.on && slices_take(SLICES_CELLS)
		       ? table_new(GMON_LIVE_SLICES, SLICES_CELLS)
		       : NULL;
}

/* Adds to the cell of a slice; nothing if there is no room. */
static void slices_count(struct table **newest, uintptr_t from, uintptr_t self, uint64_t ticks)
{
	struct table *table = *newest;

	if (table_add(table, from, self, ticks, table_good(table)))
		return;
	if (slices_take(table_ncells(table) * SLICES_GROWTH))
		table_add_growing(newest, from, self, ticks);
	else
		table_add(table, from, self, ticks, table_full(table));
}

/* Returns the level of slices at a time after the start, in slices of level 0. */
static uint32_t slices_level_at(uint64_t at)
{
	uint32_t level = 0;

	while (at >> level >= gmon.settings.slices && level < SLICES_LEVELS - 1)
		level++;
	return level;
}

/* Returns the part of ticks that is left for the last `rest` of `ns` nanoseconds. */
static uint64_t slices_part(uint64_t ticks, uint64_t rest, uint64_t ns)
{
	while (ns >= SLICES_PARTS) {
		ns >>= 1;
		rest >>= 1;
	}
	return rest ? ticks * rest / ns : 0;
}

void slices_add(struct table **newest, uintptr_t from, uintptr_t self, uint64_t ticks,
		struct slices_time time)
{
	uint64_t now, first, last, ns = time.ns;
	uint32_t level;

	if (!*newest || !ticks || sandbox_closed())
		return;
	now = time.until ? time.until : clock_monotonic_ns();
	now = now > gmon.slices.since ? now - gmon.slices.since : 0;
	if (ns > now)
		ns = now;
	level = slices_level_at(now >> SLICES_SHIFT);
	first = (now - ns) >> SLICES_SHIFT >> level;
	last = now >> SLICES_SHIFT >> level;
	from += (uintptr_t)level << GMON_LIVE_LEVEL;
	for (uint64_t i = first; i <= last && i < gmon.settings.slices; i++) {
		uint64_t end = (i + 1) << level << SLICES_SHIFT, rest = now > end ? now - end : 0;
		uint64_t later = slices_part(ticks, rest, ns);

		if (ticks > later)
			slices_count(newest, from, self | (uintptr_t)i << GMON_LIVE_SLICE,
				     ticks - later);
		ticks = later;
		ns = rest;
	}
}
