/* SPDX-License-Identifier: MIT */
/*
 * Hash tables of counts, keyed by a pair of addresses, each with one writer that signals may
 * interrupt.
 *
 * A table belongs to one thread. That thread and its signal handlers look up, insert and add; any
 * other thread may read at any time. Nothing is ever removed or moved, so pointers into a table
 * stay valid. Inserting claims a cell by compare-and-swap and stores `from` last: a handler that
 * interrupts it finds the cell taken and uses another one, and the same pair may then have two
 * cells. Readers add them up.
 *
 * A pair of cells shares a cache line (64-bit). The hash gives a cell; the search tries it, then
 * the other one of its line, then the same two of the next line, and so on. Tables are kept three
 * quarters empty, so nearly every look-up reads one line (and if not, see thread_add()):
 *
 *                 line 0          line 1          line 2          line 3
 *     cell     0       1       2       3       4       5       6       7
 *            +-------+-------+-------+-------+-------+-------+-------+-------+
 *     from   |   0   |   0   |0x40113|0x40125|   0   |0x40113|   1   |   0   |
 *     self   |       |       |0x40210|0x40210|       |0x40300|       |       |
 *     count  |       |       |  1000 |     7 |       |     2 |       |       |
 *            +-------+-------+-------+-------+-------+-------+-------+-------+
 *
 * (0x40113, 0x40210) was counted 1000 times. A new pair with hash 2 tries cells 2, 3 and then 4,
 * which is free; one with hash 3 tries 3, 2, 5 and then 4. Cell 6 is being filled (FROM_CLAIMED).
 *
 * Each new pair of calls gets the next number of a counter that all threads share, so pairs can be
 * put in the order of their first calls. Calls of known pairs do nothing for that.
 */
#ifndef COUNT_TABLE_H
#define COUNT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/wide.h"
#include "count/count_block.h"
#include "count/layout.h"
#include <arch.h>

/*
 * What a cell counts. For calls, `from` is the return address in the caller and `self` an address
 * in the callee. For everything else `self` is one of these marks, which are not addresses of code.
 */
enum {
	CELL_OUTSIDE_TICKS = GMON_LIVE_OUTSIDE_TICKS,
	CELL_BLOCK = GMON_LIVE_BLOCK,
	CELL_TWICE = GMON_LIVE_TWICE,
	CELL_ALONE = GMON_LIVE_ALONE,
	CELL_UNKNOWN_TICKS = GMON_LIVE_UNKNOWN_TICKS,
	CELL_MARKS = 5,                          /* the last mark in merged tables (merge.h) */
	CELL_OUTSIDE_IN = GMON_LIVE_OUTSIDE_IN,  /* plus the number of a module (modules.h) */
	CELL_OUTSIDE_NONE = GMON_LIVE_LAST_MARK, /* ticks in no module */
	CELL_LAST_MARK = GMON_LIVE_LAST_MARK
};

/*
 * Values of `from` that are not addresses: the cell is unused; the cell is being filled; ticks
 * outside of the program whose address is not recorded, or for which no sample was taken; a call
 * with an unknown caller.
 */
enum {
	FROM_NONE = GMON_LIVE_FROM_NONE,
	FROM_CLAIMED = GMON_LIVE_FROM_CLAIMED,
	FROM_ANYWHERE = GMON_LIVE_FROM_ANYWHERE,
	FROM_UNKNOWN = GMON_FROM_UNKNOWN
};

struct cell {
	uintptr_t from;
	uintptr_t self;
	_Alignas(8) uint64_t count;
#ifdef __LP64__
	uint64_t first; /* see table_number() */
#endif
};

/* head.word gives the number of cells, a power of two and at least two: see table_mask(). */
struct table {
	struct count_block head;
	uint32_t used; /* number of used cells; too low by the insertions that were interrupted */
	struct table *older; /* the smaller table that its thread had before, or NULL */
	_Alignas(64) struct cell cell[];
};

_Static_assert(offsetof(struct table, head.word) == GMON_TABLE_MASK, "see layout.h");
_Static_assert(offsetof(struct table, cell) == GMON_TABLE_CELLS, "see layout.h");
_Static_assert(offsetof(struct cell, self) == GMON_CELL_SELF, "see layout.h");
_Static_assert(offsetof(struct cell, count) == GMON_CELL_COUNT, "see layout.h");
_Static_assert(sizeof(struct cell) == GMON_CELL_BYTES, "see layout.h");

_Static_assert(offsetof(struct table, cell) == GMON_LIVE_BLOCK_HEAD, "see gmon_live.h");
_Static_assert(offsetof(struct cell, from) == 0, "see gmon_live.h");
_Static_assert(offsetof(struct cell, self) == sizeof(uintptr_t), "see gmon_live.h");
_Static_assert(offsetof(struct cell, count) == 2 * sizeof(uintptr_t), "see gmon_live.h");
_Static_assert(sizeof(struct cell) == GMON_LIVE_CELL_BYTES(sizeof(uintptr_t)), "see gmon_live.h");

/*
 * Returns the distance in bytes from the first cell to the cell of a hash; there are `mask / sizeof
 * cell + 1` cells.
 */
static inline uintptr_t table_hash(uintptr_t from, uintptr_t self, uintptr_t mask)
{
	const unsigned bits = 8 * sizeof(self);
	uintptr_t x = from ^ (self << GMON_HASH_ROTATE | self >> (bits - GMON_HASH_ROTATE));

	return x * GMON_HASH_FACTOR >> GMON_HASH_SHIFT & mask;
}

static inline struct cell *table_cell(struct table *table, uintptr_t offset)
{
	return (struct cell *)(void *)((char *)table->cell + offset);
}

static inline uintptr_t table_mask(const struct table *table)
{
	return table->head.word;
}

static inline size_t table_ncells(const struct table *table)
{
	return table_mask(table) / sizeof(struct cell) + 1;
}

static inline uintptr_t table_from(const struct cell *cell)
{
	return __atomic_load_n(&cell->from, __ATOMIC_ACQUIRE);
}

/*
 * Returns where the number of a cell's pair is stored. Pairs are numbered from 1 in the order of
 * their insertions into all tables of calls; 0: unknown. Cells of 16 bytes have no room for it:
 * there the numbers follow the last cell.
 */
static inline uintptr_t *table_number(struct table *table, struct cell *cell)
{
#ifdef __LP64__
	(void)table;
	return &cell->first;
#else
	return (uintptr_t *)(void *)(table->cell + table_ncells(table)) + (cell - table->cell);
#endif
}

/* Whether a value of `self` is a mark of ticks outside of the histogram. */
static inline bool table_is_outside(uintptr_t self)
{
	return self == CELL_OUTSIDE_TICKS || (self >= CELL_OUTSIDE_IN && self <= CELL_LAST_MARK);
}

static inline uint64_t table_count(const struct cell *cell)
{
	return wide_load(&cell->count);
}

/*
 * Adds n if the pair is in one of its first two cells, as in nearly every call. Returns false if it
 * is not.
 */
static inline bool table_add_first(struct table *table, uintptr_t from, uintptr_t self, uint64_t n)
{
	uintptr_t at = table_hash(from, self, table_mask(table));
	struct cell *cell = table_cell(table, at);

	if (table_from(cell) != from || cell->self != self) {
		cell = table_cell(table, at ^ sizeof(struct cell));
		if (table_from(cell) != from || cell->self != self)
			return false;
	}
	arch_add(&cell->count, n);
	return true;
}

/*
 * Makes an empty table of ncells, a power of two and at least two, as a block of this kind. Returns
 * NULL if there is no memory.
 */
struct table *table_new(enum gmon_live_kind kind, size_t ncells);

/*
 * Makes an empty table with room for at least npairs that is no block: it is in no list and no
 * file. table_free() frees it. Returns NULL if there is no memory.
 */
struct table *table_private(size_t npairs);

/* Frees a table_private(), or NULL. */
void table_free(struct table *table);

/* Returns a block as a table if it is of this kind, else NULL. */
static inline struct table *table_of_kind(struct count_block *block, enum gmon_live_kind kind)
{
	return count_block_is(block, kind) ? (struct table *)block : NULL;
}

/*
 * Returns the newest table of a kind; table_next() leads from it to the older ones of all threads.
 */
struct table *table_first(enum gmon_live_kind kind);
struct table *table_next(const struct table *table);
/* Sets all counts to zero and keeps the pairs. Other threads may count at the same time. */
void table_zero(struct table *table);

/* In the child of a fork: empties a table that stays in use. See count_block_renew(). */
void table_renew(struct table *table);

/*
 * Adds n to a pair, which is inserted if it is new. Returns false and does nothing if it is new and
 * `limit` cells, fewer than there are, are in use. Async-signal-safe.
 */
bool table_add(struct table *table, uintptr_t from, uintptr_t self, uint64_t n, size_t limit);

/* Returns the cell of a pair, or NULL. */
const struct cell *table_get(struct table *table, uintptr_t from, uintptr_t self);

/*
 * Adds to a pair like table_add(), in a private table with enough room. `first` is the pair's
 * number or 0; the table keeps the smallest.
 */
void table_merge(struct table *table, uintptr_t from, uintptr_t self, uint64_t n, uintptr_t first);

/*
 * The order of first calls: place[i] is 1 + the index of the cell whose pair has number i + 1, or 0
 * if there is none. n is 0 if the order is unknown: there is no memory, or somebody has overwritten
 * numbers in the live file.
 */
struct table_order {
	uint32_t *place;
	size_t n;
};

/*
 * Returns the order of a private table's cells; table_order_free() frees it. Linear in the cells,
 * and in the pairs that were ever inserted into all tables.
 */
struct table_order table_order_make(struct table *table);
void table_order_free(struct table_order *order);

/*
 * Both go through a private table, in its order if that is known: for i in [0, table_nplaces()),
 * table_place() returns the i-th cell, or NULL.
 */
static inline size_t table_nplaces(const struct table *table, const struct table_order *order)
{
	return order->n ? order->n : table_ncells(table);
}

static inline const struct cell *table_place(const struct table *table,
					     const struct table_order *order, size_t i)
{
	const struct cell *cell;

	if (order->n)
		return order->place[i] ? &table->cell[order->place[i] - 1] : NULL;
	cell = &table->cell[i];
	return cell->from != FROM_NONE ? cell : NULL;
}

/*
 * Replaces the table at *newest by a larger, empty one of the same kind, and returns that; NULL,
 * and nothing is done, if there is no memory for it.
 */
struct table *table_grow(struct table **newest);

/* Returns the sum of all counts. Linear in the cells. */
uint64_t table_sum(const struct table *table);

/*
 * Adds like table_add() to the table at *newest; if that is full, a larger, empty table of the same
 * kind replaces it. Returns false and does nothing if there is no memory for that.
 */
bool table_add_growing(struct table **newest, uintptr_t from, uintptr_t self, uint64_t n);

/* Returns about how many cells are used in all tables of a kind. */
size_t table_used(enum gmon_live_kind kind);

/*
 * Returns how many cells may be used before the table must grow, or must stay as large for lack of
 * memory.
 */
static inline size_t table_good(const struct table *table)
{
	return table_ncells(table) / 4;
}

static inline size_t table_full(const struct table *table)
{
	return table_ncells(table) - table_ncells(table) / 8;
}

#endif
