/* SPDX-License-Identifier: MIT */
/* Adds up the tables of all threads. See merge.h. All loops are linear in their cells. */
#include "write/merge.h"

#include "base/sandbox.h"
#include "sample/clock.h"

/* Room for pairs that are inserted while tables are read. */
enum { SPARE_CELLS = 1024 };

/*
 * A cell counts fewer than MERGE_PER_MS calls in each ms of the process's CPU time, and MERGE_FEW
 * is far more than what a program can add by calling our functions itself.
 */
#define MERGE_FEW ((uint64_t)1 << 36)
enum { MERGE_PER_MS = 64 * 1000000 };

/* A pair, as passed to merge_visit. */
struct merge_pair {
	uintptr_t from, self;
	uint64_t count;
};

/*
 * Returns the largest count that a cell can have. In a sandbox, asking for the CPU time may kill.
 */
static uint64_t merge_most(void)
{
	if (sandbox_closed())
		return UINT64_MAX;
	return MERGE_FEW + clock_used_ms() * MERGE_PER_MS;
}

/* Returns a cell's count; 0, after a line on stderr, if it is above `most`. */
static uint64_t merge_count(const struct cell *cell, uint64_t most)
{
	uint64_t count = table_count(cell);

	if (count <= most)
		return count;
	count_block_say_spoiled();
	return 0;
}

/* Sets *pair to what a cell counts in an object. Returns false if it counts nothing there. */
static bool merge_look(const struct cell *cell, const struct program *program, uint64_t most,
		       struct merge_pair *pair)
{
	uintptr_t from = table_from(cell);
	uintptr_t self = __atomic_load_n(&cell->self, __ATOMIC_RELAXED);
	uint64_t count = merge_count(cell, most);

	if (from <= FROM_CLAIMED || count == 0)
		return false;
	/*
	 * The hook of a basic block returns to an address on the block's first line; the address
	 * before it may be on another line.
	 */
	if (self == CELL_BLOCK || table_is_outside(self)) {
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
	const uint64_t most = merge_most();
	struct merge_pair pair;

	for (const struct table *table = table_first(GMON_LIVE_COUNTS); table;
	     table = table_next(table))
		for (size_t i = 0; i < table_ncells(table); i++)
			if (merge_look(&table->cell[i], program, most, &pair))
				visit(context, pair.from, pair.self, pair.count);
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

struct merged merge_tables(const struct program *program)
{
	struct merged merged = { table_private(SPARE_CELLS + table_used(GMON_LIVE_COUNTS)),
				 { NULL, 0 } };
	const uint64_t most = merge_most();
	struct merge_pair pair;

	if (!merged.table)
		return merged;
	for (struct table *table = table_first(GMON_LIVE_COUNTS); table; table = table_next(table))
		for (size_t i = 0; i < table_ncells(table); i++)
			if (merge_look(&table->cell[i], program, most, &pair))
				table_merge(merged.table, pair.from, pair.self, pair.count,
					    *table_number(table, &table->cell[i]));
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
	const uint64_t most = merge_most();
	uint64_t sum = 0;

	for (const struct table *table = table_first(GMON_LIVE_COUNTS); table;
	     table = table_next(table)) {
		for (size_t i = 0; i < table_ncells(table); i++) {
			const struct cell *cell = &table->cell[i];

			if (table_from(cell) == FROM_ANYWHERE &&
			    __atomic_load_n(&cell->self, __ATOMIC_RELAXED) == CELL_UNKNOWN_TICKS)
				sum += merge_count(cell, most);
		}
	}
	return sum;
}
