/* SPDX-License-Identifier: MIT */
/* Adding up the threads' tables: linear in their cells. See merge.h. */
#include "merge.h"

/* Room for pairs that come while tables are read. */
enum { SPARE_CELLS = 1024 };

static void merge_visit_cell(const struct cell *cell, const struct program *program,
			     merge_visit *visit, void *context)
{
	uintptr_t from = cell_from(cell);
	uintptr_t self = __atomic_load_n(&cell->self, __ATOMIC_RELAXED);
	uint64_t count = cell_count(cell);

	if (from <= FROM_CLAIMED || count == 0)
		return;
	/* The address behind the hook is the first of the block: one less may be on the line
	 * before. */
	if (self == CELL_BLOCK || cell_is_outside(self)) {
		if (program_has(program, from))
			visit(context, from - program->bias,
			      self == CELL_BLOCK ? CELL_BLOCK : CELL_OUTSIDE_TICKS, count);
	} else if (self > CELL_LAST_MARK) {
		if (!program_has(program, self))
			return;
		from = program_has(program, from) ? arch_call_site(from) : program->entry;
		visit(context, from - program->bias, self - program->bias, count);
	}
}

void merge_each(const struct table *merged, const struct program *program, merge_visit *visit,
		void *context)
{
	if (merged) {
		for (size_t i = 0; i < table_ncells(merged); i++)
			if (merged->cell[i].from != FROM_NONE)
				visit(context, merged->cell[i].from, merged->cell[i].self,
				      merged->cell[i].count);
		return;
	}
	for (struct region *region = region_first(); region; region = region_next(region)) {
		const struct table *table = table_of(region);

		for (size_t i = 0; table && i < table_ncells(table); i++)
			merge_visit_cell(&table->cell[i], program, visit, context);
	}
}

static void merge_add(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	struct table *merged = context;

	table_add(merged, from, self, count, table_full(merged));
}

struct table *merge_tables(const struct program *program)
{
	struct table *merged = table_private(SPARE_CELLS + table_used(GMON_LIVE_COUNTS));

	if (!merged)
		return NULL;
	merge_each(NULL, program, merge_add, merged);
	return merged;
}

void merge_free(struct table *merged)
{
	table_free(merged);
}

uint64_t merge_unknown_ticks(void)
{
	uint64_t sum = 0;

	for (struct region *region = region_first(); region; region = region_next(region)) {
		const struct table *table = table_of(region);

		for (size_t i = 0; table && i < table_ncells(table); i++) {
			const struct cell *cell = &table->cell[i];

			if (cell_from(cell) == FROM_ANYWHERE &&
			    __atomic_load_n(&cell->self, __ATOMIC_RELAXED) == CELL_UNKNOWN_TICKS)
				sum += cell_count(cell);
		}
	}
	return sum;
}
