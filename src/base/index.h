/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the elements of a growing array by what they hold: a hash table with open addressing, at
 * most half full. The array is the caller's; the index knows places in it. All is inline, so that
 * the caller's functions become part of the loops.
 */
#ifndef BASE_INDEX_H
#define BASE_INDEX_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { INDEX_LEAST_SLOTS = 16, INDEX_AHEAD = 64 };

/* All zero is an empty index. */
struct index {
	uint32_t *slot; /* the place of an element plus 1; 0 is free */
	size_t nslots;  /* a power of two, or 0 */
};

/* The hash of what the element at a place holds. */
typedef uint64_t index_hash(const void *array, size_t place);

/* Whether the element at a place holds what is looked for. */
typedef bool index_same(const void *array, size_t place, const void *wanted);

/* A hash of two numbers, addresses with many zeros among their low bits included. */
static inline uint64_t index_hash_pair(uint64_t a, uint64_t b)
{
	uint64_t h = a * 0x9e3779b97f4a7c15u ^ b * 0xc2b2ae3d27d4eb4fu;

	return h ^ h >> 29;
}

/* Asks for the memory in which a search for this hash begins. */
static inline void index_prefetch(const struct index *index, uint64_t hash)
{
	__builtin_prefetch(&index->slot[hash & (index->nslots - 1)], 1);
}

/* What the slot holds in which a search for this hash begins: a place plus 1, or 0. */
static inline uint32_t index_first(const struct index *index, uint64_t hash)
{
	return index->slot[hash & (index->nslots - 1)];
}

/*
 * The slot of the element that is `wanted`, which has this hash; or, holding 0, the free one where
 * the caller notes the place of a new one, plus 1. There is room, by index_reserve(), and so the
 * slot is valid until that is called again. Expected constant time.
 */
static inline uint32_t *index_find(const struct index *index, uint64_t hash, index_same *same,
				   const void *array, const void *wanted)
{
	size_t mask = index->nslots - 1;

	while (index->slot[hash & mask] && !same(array, index->slot[hash & mask] - 1, wanted))
		hash++;
	return &index->slot[hash & mask];
}

/*
 * Makes room for `room` elements, at most UINT32_MAX, of which the array has n, all in the index
 * and no two the same. Slots live in mem. Linear in room when it grows, which doubles it.
 */
static inline void index_reserve(struct index *index, size_t room, index_hash *hash,
				 const void *array, size_t n, struct arena *mem)
{
	size_t nslots = index->nslots ? index->nslots : INDEX_LEAST_SLOTS;

	while (nslots < 2 * room)
		nslots *= 2;
	if (nslots == index->nslots)
		return;
	if (index->slot)
		arena_release(mem, index->slot);
	index->nslots = nslots;
	index->slot = arena_array(mem, uint32_t, nslots);
	for (size_t i = 0; i < n; i++) {
		uint64_t h = hash(array, i);

		if (i + INDEX_AHEAD < n)
			index_prefetch(index, hash(array, i + INDEX_AHEAD));
		while (index_first(index, h))
			h++;
		index->slot[h & (nslots - 1)] = (uint32_t)i + 1;
	}
}

/* Empties the index and frees its memory early, if it is large. */
static inline void index_free(struct index *index, struct arena *mem)
{
	if (index->slot)
		arena_release(mem, index->slot);
	*index = (struct index){ 0 };
}

#endif
