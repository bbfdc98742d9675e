/* SPDX-License-Identifier: MIT */
/* Hash tables of counts: all but the fast path of adding. See table.h. */
#include "count/table.h"

#include "base/sys.h"
#include "state.h"

/* TABLE_FIRST_BYTES: what a cell's number takes after the cells: see table_number(). */
#ifdef __LP64__
enum { TABLE_GROWTH = 4, TABLE_FIRST_BYTES = 0 };
#else
enum { TABLE_GROWTH = 4, TABLE_FIRST_BYTES = sizeof(uintptr_t) };
#endif

static size_t table_bytes(size_t ncells)
{
	return sizeof(struct table) + ncells * (sizeof(struct cell) + TABLE_FIRST_BYTES);
}

struct table *table_new(enum gmon_live_kind kind, size_t ncells)
{
	struct table *table = NULL;

	if (ncells <= SIZE_MAX / 2 / (sizeof(struct cell) + TABLE_FIRST_BYTES))
		table = count_block_new(kind, table_bytes(ncells),
					(ncells - 1) * sizeof(struct cell), 0);
	return table;
}

struct table *table_private(size_t npairs)
{
	size_t ncells = 2;
	struct table *table;

	while (ncells < 2 * npairs)
		ncells *= 2;
	table = sys_memory(table_bytes(ncells));
	if (table)
		table->head.word = (ncells - 1) * sizeof(struct cell);
	return table;
}

void table_free(struct table *table)
{
	if (table)
		sys_munmap(table, table_bytes(table_ncells(table)));
}

void table_zero(struct table *table)
{
	for (size_t i = 0; i < table_ncells(table); i++)
		if (table_count(&table->cell[i]))
			wide_store(&table->cell[i].count, 0);
}

uint64_t table_sum(const struct table *table)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < table_ncells(table); i++)
		sum += table_count(&table->cell[i]);
	return sum;
}

void table_renew(struct table *table)
{
	struct table *older = table->older;

	count_block_renew(&table->head);
	table->used = 0;
	table->older = older;
}

static bool table_claim(struct cell *cell)
{
	uintptr_t none = FROM_NONE;

	return __atomic_compare_exchange_n(&cell->from, &none, FROM_CLAIMED, false,
					   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/*
 * Returns the cell to try next: the other cell of the cache line or, after both, one of the next
 * line.
 */
static uintptr_t table_next_place(uintptr_t at, uintptr_t mask, bool second)
{
	uintptr_t other = at ^ sizeof(struct cell);

	return second ? (other + 2 * sizeof(struct cell)) & mask : other;
}

/* Sets all members of a new pair's cell except `from`, for which readers wait. */
static void table_fill(struct table *table, struct cell *cell, uintptr_t self, uint64_t n)
{
	__atomic_store_n(&cell->self, self, __ATOMIC_RELAXED);
	arch_add(&cell->count, n);
	if (table->head.kind == GMON_LIVE_COUNTS)
		__atomic_store_n(table_number(table, cell),
				 __atomic_add_fetch(&gmon.inserted, 1, __ATOMIC_RELAXED),
				 __ATOMIC_RELAXED);
}

/* Adds like table_add(); returns the pair's cell, or NULL. */
static struct cell *table_find(struct table *table, uintptr_t from, uintptr_t self, uint64_t n,
			       size_t limit)
{
	uintptr_t mask = table_mask(table);
	uintptr_t at = table_hash(from, self, mask);
	bool second = false;

	/* There is a free cell, unless somebody has overwritten the live file. */
	for (size_t left = table_ncells(table); left > 0; left--) {
		struct cell *cell = table_cell(table, at);
		uintptr_t found = table_from(cell);

		if (found == FROM_NONE) {
			if (__atomic_load_n(&table->used, __ATOMIC_RELAXED) >= limit)
				return NULL;
			if (table_claim(cell)) {
				table_fill(table, cell, self, n);
				__atomic_store_n(&cell->from, from, __ATOMIC_RELEASE);
				__atomic_fetch_add(&table->used, 1, __ATOMIC_RELAXED);
				return cell;
			}
		} else if (found == from &&
			   __atomic_load_n(&cell->self, __ATOMIC_RELAXED) == self) {
			arch_add(&cell->count, n);
			return cell;
		}
		at = table_next_place(at, mask, second);
		second = !second;
	}
	return NULL;
}

bool table_add(struct table *table, uintptr_t from, uintptr_t self, uint64_t n, size_t limit)
{
	return table_find(table, from, self, n, limit) != NULL;
}

const struct cell *table_get(struct table *table, uintptr_t from, uintptr_t self)
{
	return table_find(table, from, self, 0, 0);
}

void table_merge(struct table *table, uintptr_t from, uintptr_t self, uint64_t n, uintptr_t first)
{
	struct cell *cell = table_find(table, from, self, n, table_full(table));
	uintptr_t *smallest = cell ? table_number(table, cell) : NULL;

	/* 0 means unknown: minus 1 it is the largest number of all. */
	if (cell && first - 1 < *smallest - 1)
		*smallest = first;
}

/*
 * Puts the index of each cell at the place of its number. Returns false if a number is out of
 * range, or if two cells have the same.
 */
static bool table_order_fill(struct table_order *order, struct table *table)
{
	for (size_t i = 0; i < table_ncells(table); i++) {
		struct cell *cell = &table->cell[i];
		uintptr_t first = cell->from != FROM_NONE ? *table_number(table, cell) : 0;

		if (cell->from == FROM_NONE)
			continue;
		if (first == 0 || first > order->n || order->place[first - 1])
			return false;
		order->place[first - 1] = (uint32_t)i + 1;
	}
	return true;
}

struct table_order table_order_make(struct table *table)
{
	struct table_order order = { NULL, __atomic_load_n(&gmon.inserted, __ATOMIC_RELAXED) };

	if (order.n > 0 && order.n < UINT32_MAX && table_ncells(table) < UINT32_MAX)
		order.place = sys_memory(order.n * sizeof(order.place[0]));
	if (!order.place)
		order.n = 0;
	else if (!table_order_fill(&order, table))
		table_order_free(&order);
	return order;
}

void table_order_free(struct table_order *order)
{
	if (order->place)
		sys_munmap(order->place, order->n * sizeof(order->place[0]));
	*order = (struct table_order){ NULL, 0 };
}

struct table *table_grow(struct table **newest)
{
	struct table *table = __atomic_load_n(newest, __ATOMIC_ACQUIRE);
	struct table *larger = table_new(table->head.kind, table_ncells(table) * TABLE_GROWTH);

	if (!larger)
		return NULL;
	larger->older = table;
	__atomic_store_n(newest, larger, __ATOMIC_RELEASE);
	return larger;
}

bool table_add_growing(struct table **newest, uintptr_t from, uintptr_t self, uint64_t n)
{
	struct table *table = __atomic_load_n(newest, __ATOMIC_ACQUIRE);
	struct table *larger;

	if (table_add(table, from, self, n, table_good(table)))
		return true;
	/* A larger table or, if there is no memory for it, the rest of this one. */
	larger = table_grow(newest);
	if (larger) {
		table = larger;
		if (table_add(table, from, self, n, table_good(table)))
			return true;
	}
	return table_add(table, from, self, n, table_full(table));
}

/* Returns the first table of a kind, from this entry of the list on. */
static struct table *table_skip(struct count_block *block, enum gmon_live_kind kind)
{
	while (block && !count_block_is(block, kind))
		block = count_block_next(block);
	return (struct table *)block;
}

struct table *table_first(enum gmon_live_kind kind)
{
	return table_skip(count_block_first(), kind);
}

struct table *table_next(const struct table *table)
{
	return table_skip(count_block_next(&table->head), table->head.kind);
}

size_t table_used(enum gmon_live_kind kind)
{
	size_t n = 0;

	for (struct table *table = table_first(kind); table; table = table_next(table))
		n += __atomic_load_n(&table->used, __ATOMIC_RELAXED);
	return n;
}
