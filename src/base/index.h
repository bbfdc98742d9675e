/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the elements of a growing array by their keys: a hash table with open addressing, at most
 * half full. The array is the caller's; a slot of the table holds the index of an element in that
 * array (its place), plus 1; 0 is a free slot.
 *
 *     slot    0   1   2   3   4   5   6   7           array  place 0   1   2
 *            [0] [2] [0] [1] [3] [0] [0] [0]                       a   b   c
 *
 * Here the hash of a ends in 3, that of b in 1, and that of c in 3 again: c is in the next free
 * slot. All is inline, so that the caller's functions become part of the loops.
 */
#ifndef BASE_INDEX_H
#define BASE_INDEX_H

#include "base/arena.h"
#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

enum { INDEX_LEAST_SLOTS = 16, INDEX_AHEAD = 64 };

#define INDEX_NONE UINT32_MAX /* not in the index */

/* All zero is an empty index. */
struct index {
	uint32_t *slot; /* 0: free */
	size_t nslots;  /* a power of two, or 0 */
};

/* The part of an element that is hashed. Elements that are the same have equal keys. */
struct index_key {
	uint64_t part[4];
};

/* Returns the key of the element at a place. */
typedef struct index_key index_key_of(const void *array, size_t place);

/* Whether the element at a place, which has the key of *wanted, is the same as *wanted. */
typedef bool index_same(const void *array, size_t place, const void *wanted);

/*
 * Defines `name`, a function of type index_key_of for arrays of `type`. Its key is a list of up to
 * four integers or addresses, written in terms of the element *x.
 */
#define INDEX_KEY(name, type, ...)                                           \
	static inline struct index_key name(const void *array, size_t place) \
	{                                                                    \
		type const *x = (type const *)array + place;                 \
                                                                             \
		return (struct index_key){ { __VA_ARGS__ } };                \
	}

/* Hashes two numbers; both may be addresses whose low bits are mostly zero. */
static inline uint64_t index_hash_pair(uint64_t a, uint64_t b)
{
	uint64_t h = a * 0x9e3779b97f4a7c15u ^ b * 0xc2b2ae3d27d4eb4fu;

	return h ^ h >> 29;
}

static inline uint64_t index_hash(struct index_key key)
{
	uint64_t h = index_hash_pair(key.part[2], key.part[3]);

	return index_hash_pair(key.part[0] + h, key.part[1] + h);
}

static inline bool index_equal(struct index_key x, struct index_key y)
{
	return x.part[0] == y.part[0] && x.part[1] == y.part[1] && x.part[2] == y.part[2] &&
	       x.part[3] == y.part[3];
}

/* Prefetches the memory in which a search for this hash begins. */
static inline void index_prefetch(const struct index *index, uint64_t hash)
{
	__builtin_prefetch(&index->slot[hash & (index->nslots - 1)], 1);
}

/* Returns the content of the slot in which a search for this hash begins: a place plus 1, or 0. */
static inline uint32_t index_first(const struct index *index, uint64_t hash)
{
	return index->slot[hash & (index->nslots - 1)];
}

/*
 * Makes room for `room` elements, at most UINT32_MAX, of an array that has n elements now, all of
 * them in the index and all different. Slots are allocated in mem. Linear in room if the index
 * grows; growing at least doubles it.
 */
static inline void index_reserve(struct index *index, size_t room, index_key_of *key_of,
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
		uint64_t h = index_hash(key_of(array, i));

		if (i + INDEX_AHEAD < n)
			index_prefetch(index, index_hash(key_of(array, i + INDEX_AHEAD)));
		while (index_first(index, h))
			h++;
		index->slot[h & (nslots - 1)] = (uint32_t)i + 1;
	}
}

/*
 * Returns the slot of the element that is the same as *wanted, or a free slot, holding 0, in which
 * the caller stores the place of a new element plus 1. index_reserve() must have made room for one;
 * the slot is valid until the next call of index_reserve(). `hash` is that of the key of *wanted.
 * If `same` is NULL, elements are the same if their keys are equal. Expected constant time.
 */
static inline uint32_t *index_find(const struct index *index, uint64_t hash, const void *array,
				   index_key_of *key_of, index_same *same, const void *wanted)
{
	struct index_key key = key_of(wanted, 0);
	size_t mask = index->nslots - 1;

	for (; index->slot[hash & mask]; hash++) {
		size_t place = index->slot[hash & mask] - 1;

		if (index_equal(key_of(array, place), key) && (!same || same(array, place, wanted)))
			break;
	}
	return &index->slot[hash & mask];
}

/*
 * Returns the place of the element with the key of *wanted, or INDEX_NONE. Expected constant time.
 */
static inline uint32_t index_lookup(const struct index *index, const void *array,
				    index_key_of *key_of, const void *wanted)
{
	return index->nslots > 0 ? *index_find(index, index_hash(key_of(wanted, 0)), array, key_of,
					       NULL, wanted) -
					   1
				 : INDEX_NONE;
}

/*
 * Returns the place in *array, an ARRAY of base/array.h, of the element that is the same as
 * *wanted. If there is none, appends a copy of *wanted. Array and slots are allocated in mem; slots
 * only if there is no room for one more. Expected constant time.
 */
#define index_intern(index, array, wanted, key_of, mem) \
	index_intern_same(index, array, wanted, key_of, NULL, mem)

#define index_intern_same(index, array, wanted, key_of, same, mem)                                 \
	__extension__({                                                                            \
		uint32_t *index_slot;                                                              \
                                                                                                   \
		index_reserve(index, (array)->n + 1, key_of, (array)->at, (array)->n, mem);        \
		index_slot = index_find(index, index_hash(key_of(wanted, 0)), (array)->at, key_of, \
					same, wanted);                                             \
		if (*index_slot == 0) {                                                            \
			array_push(mem, array) = *(wanted);                                        \
			*index_slot = (uint32_t)(array)->n;                                        \
		}                                                                                  \
		*index_slot - 1;                                                                   \
	})

/* Empties the index and, if it is large, frees its memory at once. */
static inline void index_free(struct index *index, struct arena *mem)
{
	if (index->slot)
		arena_release(mem, index->slot);
	*index = (struct index){ 0 };
}

#endif
