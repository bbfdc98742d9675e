/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of fixed size for small numbers, such as symbols, with a bit for each. */
#ifndef BASE_BITSET_H
#define BASE_BITSET_H

#include "base/arena.h"

#include <limits.h>
#include <stdbool.h>

/* The maker knows the size; nobody may ask for larger numbers. */
struct bitset {
	unsigned char *bits;
};

static inline struct bitset bitset_empty(struct arena *mem, size_t nids)
{
	return (struct bitset){ arena_array(mem, unsigned char, nids / CHAR_BIT + 1) };
}

static inline bool bitset_has(struct bitset set, size_t id)
{
	return set.bits[id / CHAR_BIT] >> id % CHAR_BIT & 1;
}

static inline void bitset_add(struct bitset set, size_t id)
{
	set.bits[id / CHAR_BIT] |= (unsigned char)(1u << id % CHAR_BIT);
}

static inline void bitset_remove(struct bitset set, size_t id)
{
	set.bits[id / CHAR_BIT] &= (unsigned char)~(1u << id % CHAR_BIT);
}

#endif
