/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Growable arrays inside an arena. Growth doubles, so pushing n elements costs O(n); of large
 * arrays, the old memory is freed after each growth.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include "base/arena.h"

#include <string.h>

enum { ARRAY_LARGE_BYTES = 1024 * 1024 };

/* An all-zero value is an empty array. Pointers into at[] are invalid after the next push. */
#define ARRAY(type)            \
	struct {               \
		type *at;      \
		size_t n, max; \
	}

/* Makes room for one more element and evaluates to its zeroed lvalue. */
#define array_push(mem, array)                                                                \
	(*(((array)->n < (array)->max                                                         \
		    ? (void)0                                                                 \
		    : (void)((array)->at = array_grow((mem), (array)->at, (array)->n,         \
						      &(array)->max, sizeof(*(array)->at)))), \
	   &(array)->at[(array)->n++]))

/* Replaces the elements, which another array may share, by a copy of them in mem. */
#define array_unshare(mem, array)                                                        \
	((array)->at = array_copy((mem), (array)->at, (array)->n, sizeof(*(array)->at)), \
	 (array)->max = (array)->n)

static inline void *array_copy(struct arena *mem, const void *at, size_t n, size_t size)
{
	void *copy = arena_alloc(mem, n, size);

	if (n > 0)
		memcpy(copy, at, n * size);
	return copy;
}

static inline void *array_grow(struct arena *mem, void *old, size_t n, size_t *max, size_t size)
{
	void *grown;

	*max = *max ? 2 * *max : 16;
	grown = arena_alloc(mem, *max, size);
	if (n > 0)
		memcpy(grown, old, n * size);
	if (n * size >= ARRAY_LARGE_BYTES)
		arena_release(mem, old);
	return grown;
}

#endif
