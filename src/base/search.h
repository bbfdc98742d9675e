/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary search in tables of addresses. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Returns the index of the first of n elements of `size` bytes whose uint64_t at `offset` is
 * greater than key; n if there is none. The elements are sorted by it. O(log n).
 */
static inline size_t search_above(const void *table, size_t n, size_t size, size_t offset,
				  uint64_t key)
{
	size_t lo = 0;

	while (lo < n) {
		size_t mid = lo + (n - lo) / 2;
		uint64_t at;

		memcpy(&at, (const char *)table + mid * size + offset, sizeof(at));
		if (at <= key)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

/* Does the same for the first that is not less than key. */
static inline size_t search_from(const void *table, size_t n, size_t size, size_t offset,
				 uint64_t key)
{
	return key > 0 ? search_above(table, n, size, offset, key - 1) : 0;
}

/* Whether one of n sorted addresses is key. O(log n). */
static inline bool search_has(const uint64_t *table, size_t n, uint64_t key)
{
	size_t i = search_from(table, n, sizeof(*table), 0, key);

	return i < n && table[i] == key;
}

#endif
