/* SPDX-License-Identifier: MIT */
/*
 * Hash tables of counts, keyed by a pair of addresses, for one writer that signals may interrupt.
 *
 * A table belongs to one thread. That thread and the handlers that interrupt it look up, insert and
 * add; any other thread may read at any time. Nothing is ever removed or moved, so whoever holds a
 * pointer into a table can go on. Inserting claims a cell by compare-and-swap and publishes `from`
 * last: a handler that comes between sees a cell of somebody else and takes another one, and the
 * same pair may then stand in two cells. Readers add them up.
 *
 * Who inserts a pair of calls numbers it, so that all pairs of all threads stand in the order in
 * which they were first counted. Whoever finds its pair has nothing to do with that.
 *
 * Cost: one cache line for nearly every look-up, since tables are kept three quarters empty.
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
 * What a cell counts. An arc: `from` is the return address in the caller, `self` the one in the
 * callee. Other things have a mark in `self`, which no code address can be.
 */
enum {
	CELL_OUTSIDE_TICKS = GMON_LIVE_OUTSIDE_TICKS,
	CELL_BLOCK = GMON_LIVE_BLOCK,
	CELL_TWICE = GMON_LIVE_TWICE,
	CELL_ALONE = GMON_LIVE_ALONE,
	CELL_UNKNOWN_TICKS = GMON_LIVE_UNKNOWN_TICKS,
	CELL_MARKS = 5,                         /* the last one that merged tables have (merge.h) */
	CELL_OUTSIDE_IN = GMON_LIVE_OUTSIDE_IN, /* and the number of a module, see modules.h */
	CELL_OUTSIDE_NONE = GMON_LIVE_LAST_MARK, /* ticks in no module */
	CELL_LAST_MARK = GMON_LIVE_LAST_MARK
};

/*
 * In `from`, of a cell: never used; being filled; nobody asks, or can say, where: ticks outside
 * or unknown, and callers without address.
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
	uint64_t first; /* see cell_first() */
#endif
};

/* `word` of the region says how many cells there are: a power of two, at least two. */
struct table {
	struct count_block head;
	uint32_t used;       /* cells, about: insertions that interrupt one another may miss one */
	struct table *older; /* the smaller one that its thread had before, or NULL */
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

static inline uintptr_t cell_from(const struct cell *cell)
{
	return __atomic_load_n(&cell->from, __ATOMIC_ACQUIRE);
}

/*
 * Where the number of a cell's pair is: from 1 on, in the order of insertions into all tables of
 * calls; 0: not known. Cells of 16 bytes have no room for it: there it is behind the last cell.
 */
static inline uintptr_t *cell_first(struct table *table, struct cell *cell)
{
#ifdef __LP64__
	(void)table;
	return &cell->first;
#else
	return (uintptr_t *)(void *)(table->cell + table_ncells(table)) + (cell - table->cell);
#endif
}

/* Whether what stands in `self` is the mark of ticks outside of the histogram. */
static inline bool cell_is_outside(uintptr_t self)
{
	return self == CELL_OUTSIDE_TICKS || (self >= CELL_OUTSIDE_IN && self <= CELL_LAST_MARK);
}

static inline uint64_t cell_count(const struct cell *cell)
{
	return wide_load(&cell->count);
}

/* The way that nearly every call takes: the two cells of the first line. False: not found there. */
static inline bool table_add_first(struct table *table, uintptr_t from, uintptr_t self, uint64_t n)
{
	uintptr_t at = table_hash(from, self, table_mask(table));
	struct cell *cell = table_cell(table, at);

	if (cell_from(cell) != from || cell->self != self) {
		cell = table_cell(table, at ^ sizeof(struct cell));
		if (cell_from(cell) != from || cell->self != self)
			return false;
	}
	arch_add(&cell->count, n);
	return true;
}

/*
 * A new empty table of ncells, a power of two of at least two, as a block of a kind. NULL: no
 * memory.
 */
struct table *table_new(enum gmon_live_kind kind, size_t ncells);

/*
 * As table_new(), with room for npairs at least, in memory of its own: in no list, in no file, and
 * for table_free().
 */
struct table *table_private(size_t npairs);

/* Gives table_private()'s memory back. NULL does no harm. */
void table_free(struct table *table);

/* The table that a block of a kind is, or NULL. */
static inline struct table *table_of_kind(struct count_block *block, enum gmon_live_kind kind)
{
	return count_block_is(block, kind) ? (struct table *)block : NULL;
}

/* The newest table of a kind, from which table_next() leads to the older ones of all threads. */
struct table *table_first(enum gmon_live_kind kind);
struct table *table_next(const struct table *table);
/* Makes the counts zero; the pairs stay. Others may count meanwhile. */
void table_zero(struct table *table);

/* In the child of a fork: empties a table that is to be used there. See count_block_renew(). */
void table_renew(struct table *table);

/*
 * Adds n to a pair, inserting it. False, and nothing done, when the pair is new and `limit` cells,
 * fewer than there are, are in use. Async-signal-safe.
 */
bool table_add(struct table *table, uintptr_t from, uintptr_t self, uint64_t n, size_t limit);

/*
 * As table_add(), to a private table that has room, of a pair with the number `first`, or 0: the
 * table keeps the smallest.
 */
void table_merge(struct table *table, uintptr_t from, uintptr_t self, uint64_t n, uintptr_t first);

/*
 * The cells of a private table in the order of their numbers: place[i], less 1, is that of the cell
 * that comes i-th, and 0 none. n is 0 if there is no order: no memory, or numbers that somebody has
 * spoiled, who writes to the shared file.
 */
struct table_order {
	uint32_t *place;
	size_t n;
};

/* Linear in cells, and in what all tables have ever inserted. For table_order_free(). */
struct table_order table_order_make(struct table *table);
void table_order_free(struct table_order *order);

/* A private table's cells in their order, if there is one, for i from 0 to table_nplaces(): the
 * i-th, or NULL if there is none. */
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
 * As table_add(), to the table at *newest, which a larger, empty one of the same kind replaces when
 * it is full. False, and nothing done, when there is no memory for that either.
 */
bool table_add_growing(struct table **newest, uintptr_t from, uintptr_t self, uint64_t n);

/* Cells in use in all tables of a kind, about. */
size_t table_used(enum gmon_live_kind kind);

/* How many cells to fill before growing, and at most if there is no memory to grow. */
static inline size_t table_good(const struct table *table)
{
	return table_ncells(table) / 4;
}

static inline size_t table_full(const struct table *table)
{
	return table_ncells(table) - table_ncells(table) / 8;
}

#endif
