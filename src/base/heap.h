/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binary heaps in arrays of any elements: at[0] comes before all others, and each element before
 * those at 2i + 1 and 2i + 2. The array is the caller's, and so is its length.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { HEAP_ELEMENT_BYTES = 64 }; /* the largest size of an element */

/* Whether x must leave the heap before y: a strict order, so false if they are equal. */
typedef bool heap_order(const void *x, const void *y, const void *arg);

/*
 * Makes a heap of n elements of which the first n - 1 are a heap: to be called after the new
 * element was put at the end. O(log n).
 */
static inline void heap_push(void *at, size_t n, size_t size, heap_order *before, const void *arg)
{
	char *element = at;
	_Alignas(max_align_t) char held[HEAP_ELEMENT_BYTES];
	size_t i = n - 1;

	assert(n > 0 && size <= sizeof(held));
	memcpy(held, element + i * size, size);
	for (; i > 0 && before(held, element + (i - 1) / 2 * size, arg); i = (i - 1) / 2)
		memcpy(element + i * size, element + (i - 1) / 2 * size, size);
	memcpy(element + i * size, held, size);
}

/*
 * Moves the first of n > 0 elements to the end, where the caller takes it from at[n - 1], and makes
 * a heap of the n - 1 elements before it. The order of equal elements is unspecified, but the same
 * for the same calls. O(log n).
 */
static inline void heap_pop(void *at, size_t n, size_t size, heap_order *before, const void *arg)
{
	char *element = at;
	_Alignas(max_align_t) char held[HEAP_ELEMENT_BYTES];
	size_t left = n - 1, i = 0;

	assert(n > 0 && size <= sizeof(held));
	memcpy(held, element + left * size, size);
	memcpy(element + left * size, element, size);
	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < left &&
		    before(element + (child + 1) * size, element + child * size, arg))
			child++;
		if (child >= left || !before(element + child * size, held, arg))
			break;
		memcpy(element + i * size, element + child * size, size);
		i = child;
	}
	if (left > 0)
		memcpy(element + i * size, held, size);
}

#endif
