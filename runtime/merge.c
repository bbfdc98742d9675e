/* SPDX-License-Identifier: MIT */
/* Adding up the threads' tables: linear in their cells. See merge.h. */
#include "merge.h"

/* Room for pairs that come while tables are read. */
enum { SPARE_CELLS = 1024 };

/* A pair as merge_visit has it. */
struct merge_pair {
	uintptr_t from, self;
	uint64_t count;
};

/* What a cell counts of an object. False: nothing. */
static bool merge_look(const struct cell *cell, const struct program *program,
		       struct merge_pair *pair)
{
	uintptr_t from = cell_from(cell);
	uintptr_t self = __atomic_load_n(&cell->self, __ATOMIC_RELAXED);
	uint64_t count = cell_count(cell);

	if (from <= FROM_CLAIMED || count == 0)
		return false;
	/* The address behind the hook is the first of the block: one less may be on the line
	 * before. */
	if (self == CELL_BLOCK || cell_is_outside(self)) {
		*pair = (struct merge_pair){ from - program->bias,
					     self == CELL_BLOCK ? CELL_BLOCK : CELL_OUTSIDE_TICKS,
					     count };
		return program_has(program, from);
	}
	if (self <= CELL_LAST_MARK || !program_has(program, self))
		return false;
	from = program_has(program, from) ? arch_call_site(from) : program->entry;
	*pair = (struct merge_pair){ from - program->bias, self - program->bias, count };
	return true;
}

void merge_each_unsummed(const struct program *program, merge_visit *visit, void *context)
{
	struct merge_pair pair;

	for (struct region *region = region_first(); region; region = region_next(region)) {
		const struct table *table = table_of(region);

		for (size_t i = 0; table && i < table_ncells(table); i++)
			if (merge_look(&table->cell[i], program, &pair))
				visit(context, pair.from, pair.self, pair.count);
	}
}

void merge_each(const struct merged *merged, const struct program *program, merge_visit *visit,
		void *context)
{
	const struct table *table = merged->table;

	if (!table) {
		merge_each_unsummed(program, visit, context);
		return;
	}
	for (size_t i = 0; i < table_nplaces(table, &merged->order); i++) {
		const struct cell *cell = table_place(table, &merged->order, i);

		if (cell)
			visit(context, cell->from, cell->self, cell->count);
	}
}

static void merge_add(struct table *merged, struct table *table, const struct program *program)
{
	struct merge_pair pair;

	for (size_t i = 0; i < table_ncells(table); i++)
		if (merge_look(&table->cell[i], program, &pair))
			table_merge(merged, pair.from, pair.self, pair.count,
				    *cell_first(table, &table->cell[i]));
}

struct merged merge_tables(const struct program *program)
{
	struct merged merged = { table_private(SPARE_CELLS + table_used(GMON_LIVE_COUNTS)),
				 { NULL, 0 } };

	if (!merged.table)
		return merged;
	for (struct region *region = region_first(); region; region = region_next(region)) {
		struct table *table = table_of(region);

		if (table)
			merge_add(merged.table, table, program);
	}
	merged.order = table_order_make(merged.table);
	return merged;
}

void merge_free(struct merged *merged)
{
	table_free(merged->table);
	table_order_free(&merged->order);
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
