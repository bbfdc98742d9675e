/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts by numbers and by names, without a comparison function. */
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

/*
 * Sorts by key, the smallest first; items with equal keys keep their order. Linear; takes no memory
 * if they are in order already.
 */
void radix_sort_keyed(struct keyed *items, size_t n, const struct arena *mem);

/* Sorts numbers, the smallest first. Linear; takes no memory if they are in order already. */
void radix_sort_numbers(uint64_t *numbers, size_t n, const struct arena *mem);

/* Where keys are: element i of an array of `size`-byte elements has its key at `offset`. */
struct key_column {
	const void *first;
	size_t size, offset;
};

/*
 * Returns the ids from 0 to n - 1 in the order of their keys, in mem; NULL if that is their own
 * order. Linear.
 */
const struct keyed *radix_order_by_key(struct key_column keys, size_t n, struct arena *mem);

/* Where names are: id i has its pointer to a name i * `stride` bytes after the first. */
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
 * Sorts ids by their names, in the order of strcmp(); ids with equal names keep their order. Linear
 * in the bytes by which names differ.
 */
void radix_sort_by_name(uint32_t *ids, size_t n, struct name_column names, const struct arena *mem);

/*
 * Does the same, and adds to `same`, which has n bits, the positions of names that equal the name
 * before them.
 */
void radix_sort_and_mark_names(uint32_t *ids, size_t n, struct name_column names,
			       struct bitset same, const struct arena *mem);

/* Returns a sort key for a number that is not negative, by which the greatest comes first. */
static inline uint64_t radix_key_descending(double x)
{
	uint64_t bits;

	x += 0.0; /* turns -0 into 0 */
	memcpy(&bits, &x, sizeof(bits));
	return ~bits;
}

#endif
