/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Radix sorts. Names are sorted by their first eight bytes, as a number; a run of names that have
 * these in common is sorted by the next eight bytes, and so on:
 *
 *     symtab_find  ->  "symtab_f" < "symtab_m"  ->  symtab_file    (by "ile", then "ind")
 *     symtab_make      (one run of two,             symtab_find
 *     symtab_file       one of one)                 symtab_make
 *
 * To compare two names that are far apart in memory costs two cache misses. 10^6 functions take 0.3
 * s, and 1.6 s with strcmp().
 */
#include "config.h"

#include "base/radix.h"

#include "base/array.h"

#include <endian.h>
#include <stddef.h>

enum { DIGITS = 8, VALUES = 256, FEW = 32, AHEAD = 20, FAR = 40 };

static void radix_insertion_sort(struct keyed *items, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct keyed item = items[i];
		size_t at = i;

		for (; at > 0 && items[at - 1].key > item.key; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

/* Sorts by one digit, from `from` to `to`. */
static void radix_distribute(const struct keyed *from, struct keyed *to, size_t n, unsigned shift)
{
	size_t place[VALUES] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		place[from[i].key >> shift & (VALUES - 1)]++;
	for (int v = 0; v < VALUES; v++) {
		size_t count = place[v];

		place[v] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[place[from[i].key >> shift & (VALUES - 1)]++] = from[i];
}

/* `spare` has room for n items. Digits that are the same in all keys cost nothing. */
static void radix_sort_with(struct keyed *items, size_t n, struct keyed *spare)
{
	struct keyed *from = items, *to = spare;
	uint64_t differ = 0;

	if (n <= FEW) {
		radix_insertion_sort(items, n);
		return;
	}
	for (size_t i = 1; i < n; i++)
		differ |= items[i].key ^ items[0].key;
	for (unsigned shift = 0; shift < 64; shift += 8) {
		struct keyed *other = from;

		if ((differ >> shift & (VALUES - 1)) == 0)
			continue;
		radix_distribute(from, to, n, shift);
		from = to;
		to = other;
	}
	if (from != items)
		memcpy(items, from, n * sizeof(*items));
}

static inline uint64_t radix_key_at(struct key_column keys, size_t id)
{
	uint64_t key;

	memcpy(&key, (const char *)keys.first + id * keys.size + keys.offset, sizeof(key));
	return key;
}

static inline bool radix_keys_ascend(struct key_column keys, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (radix_key_at(keys, i - 1) > radix_key_at(keys, i))
			return false;
	}
	return true;
}

static void radix_sort_disordered(struct keyed *items, size_t n, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);

	radix_sort_with(items, n, arena_unset_array(&scratch, struct keyed, n));
	arena_free(&scratch);
}

void radix_sort_keyed(struct keyed *items, size_t n, const struct arena *mem)
{
	const struct key_column keys = { items, sizeof(*items), offsetof(struct keyed, key) };

	if (!radix_keys_ascend(keys, n))
		radix_sort_disordered(items, n, mem);
}

void radix_sort_numbers(uint64_t *numbers, size_t n, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const struct keyed *sorted = radix_order_by_key(
		(struct key_column){ numbers, sizeof(*numbers), 0 }, n, &scratch);

	for (size_t i = 0; sorted && i < n; i++)
		numbers[i] = sorted[i].key;
	arena_free(&scratch);
}

const struct keyed *radix_order_by_key(struct key_column keys, size_t n, struct arena *mem)
{
	struct keyed *items;

	if (radix_keys_ascend(keys, n))
		return NULL;
	items = arena_array(mem, struct keyed, n);
	for (size_t i = 0; i < n; i++)
		items[i] = (struct keyed){ radix_key_at(keys, i), (uint32_t)i };
	radix_sort_disordered(items, n, mem);
	return items;
}

/*
 * Returns the next eight bytes of a name as a number, the first byte highest; 0 for bytes after its
 * end.
 */
static uint64_t radix_name_key(const char *s)
{
	uint64_t key = 0;

	memcpy(&key, s, strnlen(s, DIGITS));
	return be64toh(key);
}

/* A run of names whose first `depth` bytes are the same. */
struct run {
	size_t first, n, depth;
};

typedef ARRAY(struct run) run_array;

/*
 * Pushes the runs within a sorted run. Names that end within the last eight bytes are the same: the
 * positions of all but the first of them are added to `same`, unless that has no bits.
 */
static void radix_push_runs(run_array *runs, const struct keyed *items, struct run sorted,
			    struct bitset same, struct arena *mem)
{
	size_t end = sorted.first + sorted.n;

	for (size_t i = sorted.first, next; i < end; i = next) {
		for (next = i + 1; next < end && items[next].key == items[i].key; next++) {
			if (same.bits && (items[i].key & 0xff) == 0)
				bitset_add(same, next);
		}
		if (next - i > 1 && (items[i].key & 0xff) != 0)
			array_push(mem, runs) = (struct run){ i, next - i, sorted.depth + DIGITS };
	}
}

void radix_sort_by_name(uint32_t *ids, size_t n, struct name_column names, const struct arena *mem)
{
	radix_sort_and_mark_names(ids, n, names, (struct bitset){ NULL }, mem);
}

void radix_sort_and_mark_names(uint32_t *ids, size_t n, struct name_column names,
			       struct bitset same, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct keyed *items = arena_unset_array(&scratch, struct keyed, n);
	struct keyed *spare = arena_unset_array(&scratch, struct keyed, n);
	run_array runs = { 0 };

	for (size_t i = 0; i < n; i++)
		items[i].id = ids[i];
	if (n > 1)
		array_push(&scratch, &runs) = (struct run){ 0, n, 0 };
	while (runs.n > 0) {
		struct run run = runs.at[--runs.n];
		struct keyed *some = items + run.first;

		for (size_t i = 0; i < run.n; i++) {
			if (i + FAR < run.n)
				__builtin_prefetch((const char *)names.first +
						   some[i + FAR].id * names.stride);
			if (i + AHEAD < run.n)
				__builtin_prefetch(radix_name_at(&names, some[i + AHEAD].id) +
						   run.depth);
			some[i].key = radix_name_key(radix_name_at(&names, some[i].id) + run.depth);
		}
		radix_sort_with(some, run.n, spare);
		radix_push_runs(&runs, items, run, same, &scratch);
	}
	for (size_t i = 0; i < n; i++)
		ids[i] = items[i].id;
	arena_free(&scratch);
}
