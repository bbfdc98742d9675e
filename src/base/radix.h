/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting by numbers and by names without a comparison function. */
#ifndef BASE_RADIX_H
#define BASE_RADIX_H

#include "base/arena.h"
#include "base/bitset.h"

#include <stdint.h>
#include <string.h>

struct keyed {
	uint64_t key;
	uint32_t id;
};

/* Least key first; equal ones stay in order. Linear; no memory is taken where all are in order. */
void radix_sort_keyed(struct keyed *items, size_t n, const struct arena *mem);

/* Keys by id: each `offset` bytes into an element of `size` bytes. */
struct key_column {
	const void *first;
	size_t size, offset;
};

/* The ids from 0 to n - 1 by their keys, in mem; NULL where that is their own order. Linear. */
const struct keyed *radix_order_by_key(struct key_column keys, size_t n, struct arena *mem);

/* Pointers to names, one every `stride` bytes, by id. */
struct name_column {
	const void *first;
	size_t stride;
};

static inline const char *radix_name_at(const struct name_column *names, uint32_t id)
{
	const char *name;

	memcpy(&name, (const char *)names->first + id * names->stride, sizeof(name));
	return name;
}

/*
 * Sorts ids by their names, as strcmp() has them; equal ones stay in order. Linear in the
 * bytes of names that tell them apart.
 */
void radix_sort_by_name(uint32_t *ids, size_t n, struct name_column names, const struct arena *mem);

/* The same; places of names that are those before them are added to `same`, which has n. */
void radix_sort_and_mark_names(uint32_t *ids, size_t n, struct name_column names,
			       struct bitset same, const struct arena *mem);

/* A key by which not negative numbers are sorted, the greatest first. */
static inline uint64_t radix_key_descending(double x)
{
	uint64_t bits;

	x += 0.0; /* no negative zero */
	memcpy(&bits, &x, sizeof(bits));
	return ~bits;
}

#endif
