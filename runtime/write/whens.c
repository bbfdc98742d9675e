/* SPDX-License-Identifier: MIT */
/* Slices of the time, for the file. See whens.h. */
#include "write/whens.h"

#include <gmon_ext.h>

#include "record/slices.h"
#include "state.h"

enum { WHENS_SPARE = 1024 /* room for new cells */ };

_Static_assert(sizeof(struct gmon_ext_timeline) == 24, "the same for all pointer widths");
_Static_assert(sizeof(struct gmon_ext_slice) == 16, "the same for all pointer widths");

/* Whether a cell, which anybody may have overwritten, is one of a slice with ticks. */
static bool whens_is_used(const struct cell *cell)
{
	return table_from(cell) > FROM_CLAIMED && table_count(cell) &&
	       slices_index(cell->self) < gmon.settings.slices;
}

static void whens_find_level(struct whens *whens)
{
	for (const struct table *table = table_first(GMON_LIVE_SLICES); table;
	     table = table_next(table)) {
		for (size_t i = 0; i < table_ncells(table); i++) {
			const struct cell *cell = &table->cell[i];
			uint32_t level = slices_level(cell->from) % 32;

			if (whens_is_used(cell) && level > whens->level)
				whens->level = level;
		}
	}
}

/* Adds a cell to the slice of the common length in which it lies. */
static void whens_add(struct whens *whens, const struct cell *cell)
{
	uint32_t level = slices_level(table_from(cell)) % 32;
	uint32_t slice;

	if (!whens_is_used(cell) || level > whens->level)
		return;
	slice = slices_index(cell->self) >> (whens->level - level);
	if (table_add(whens->table, slices_from(table_from(cell)),
		      slices_self(cell->self) | (uintptr_t)slice << GMON_LIVE_SLICE,
		      table_count(cell), table_full(whens->table)) &&
	    slice >= whens->slices)
		whens->slices = slice + 1;
}

bool whens_collect(struct whens *whens)
{
	*whens = (struct whens){ 0 };
	if (!gmon.slices.on)
		return true;
	whens_find_level(whens);
	whens->table = table_private(WHENS_SPARE + table_used(GMON_LIVE_SLICES));
	if (!whens->table)
		return false;
	for (const struct table *table = table_first(GMON_LIVE_SLICES); table;
	     table = table_next(table))
		for (size_t i = 0; i < table_ncells(table); i++)
			whens_add(whens, &table->cell[i]);
	return true;
}

/* Returns the number of the sample of a cell, from 1; 0: it is not written. */
static uint32_t whens_sample(struct table *samples, const struct cell *cell)
{
	const struct cell *sample =
		cell->from == FROM_NONE ? NULL
					: table_get(samples, cell->from, slices_self(cell->self));

	return sample ? (uint32_t)*table_number(samples, &samples->cell[sample - samples->cell])
		      : 0;
}

void whens_count(struct whens *whens, struct table *samples)
{
	for (size_t i = 0; whens->table && i < table_ncells(whens->table); i++)
		whens->n += whens_sample(samples, &whens->table->cell[i]) > 0;
}

void whens_put_timeline(struct file_writer *file, const struct whens *whens)
{
	const struct gmon_ext_timeline timeline = {
		.slices = whens->slices,
		.start_ns = gmon.slices.start_ns,
		.slice_ns = (uint64_t)SLICES_NS << whens->level,
	};

	file_put(file, &timeline, sizeof(timeline));
}

void whens_put(struct file_writer *file, const struct whens *whens, struct table *samples)
{
	for (size_t i = 0; i < table_ncells(whens->table); i++) {
		const struct cell *cell = &whens->table->cell[i];
		const struct gmon_ext_slice slice = {
			.sample = whens_sample(samples, cell) - 1,
			.slice = slices_index(cell->self),
			.ticks = table_count(cell),
		};

		if (slice.sample != GMON_EXT_NONE)
			file_put(file, &slice, sizeof(slice));
	}
}

void whens_free(struct whens *whens)
{
	table_free(whens->table);
}
