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
 * quarters empty, so nearly every look-up reads one line:
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
 * What a cell counts. Calls: `from` is the return address in the caller, `self` an address in the
 * callee. For everything else `self` is one of these marks, which are no addresses of code.
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
 * Values of `from` that are no addresses: the cell is unused; it is being filled; ticks outside
 * whose address is not recorded, or of time that nobody saw; the caller is unknown.
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
	uint32_t used; /* number of used cells; may be low by insertions that were interrupted */
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

/* Bytes from the first cell to a cell, where the cells are `mask / sizeof cell + 1`. */
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
 * Where the number of a cell's pair is: from 1 on, in the order of insertions into all tables of
 * calls; 0: unknown. Cells of 16 bytes have no room for it: there the numbers follow the last cell.
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

/* The path of nearly every call: adds n if the pair is in one of its first two cells. Else false.
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
 * A new empty table of ncells, a power of two and at least two, as a block of a kind. NULL: no
 * memory.
 */
struct table *table_new(enum gmon_live_kind kind, size_t ncells);

/*
 * An empty table with room for at least npairs that is no block: it is in no list and no file.
 * table_free() frees it. NULL: no memory.
 */
struct table *table_private(size_t npairs);

/* Frees a table_private(), or NULL. */
void table_free(struct table *table);

/* A block as a table if it is of that kind, or NULL. */
static inline struct table *table_of_kind(struct count_block *block, enum gmon_live_kind kind)
{
	return count_block_is(block, kind) ? (struct table *)block : NULL;
}

/* The newest table of a kind, from which table_next() leads to the older ones of all threads. */
struct table *table_first(enum gmon_live_kind kind);
struct table *table_next(const struct table *table);
/* Sets all counts to zero and keeps the pairs. Others may count at the same time. */
void table_zero(struct table *table);

/* In the child of a fork: empties a table that goes on being used. See count_block_renew(). */
void table_renew(struct table *table);

/*
 * Adds n to a pair, which it inserts if it is new. False, and nothing is done, if it is new and
 * `limit` cells, fewer than there are, are in use. Async-signal-safe.
 */
bool table_add(struct table *table, uintptr_t from, uintptr_t self, uint64_t n, size_t limit);

/*
 * As table_add(), for a private table with room. `first` is the pair's number or 0; the table keeps
 * the smallest.
 */
void table_merge(struct table *table, uintptr_t from, uintptr_t self, uint64_t n, uintptr_t first);

/*
 * The order of first calls: place[i] is 1 + the index of the cell whose pair has number i + 1, or 0
 * if no pair has. n is 0 if the order is unknown: no memory, or numbers that somebody has spoiled
 * by writing to the live file.
 */
struct table_order {
	uint32_t *place;
	size_t n;
};

/* The order of a private table's cells, for table_order_free(). Linear in the cells, and in the
 * pairs that were ever inserted into all tables. */
struct table_order table_order_make(struct table *table);
void table_order_free(struct table_order *order);

/* For i in [0, table_nplaces()): the i-th cell of a private table, in its order if that is known,
 * or NULL. */
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
 * As table_add(), for the table at *newest, which a larger, empty one of the same kind replaces if
 * it is full. False, and nothing is done: there is no memory for that.
 */
bool table_add_growing(struct table **newest, uintptr_t from, uintptr_t self, uint64_t n);

/* About how many cells are used in all tables of a kind. */
size_t table_used(enum gmon_live_kind kind);

/* How many cells may be used before the table grows, and if there is no memory to grow. */
static inline size_t table_good(const struct table *table)
{
	return table_ncells(table) / 4;
}

static inline size_t table_full(const struct table *table)
{
	return table_ncells(table) - table_ncells(table) / 8;
}

#endif
