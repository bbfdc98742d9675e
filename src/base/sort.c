/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merge sort. n log n. */
#include "config.h"

#include "base/sort.h"

#include <stdbool.h>
#include <string.h>

static void sort_merge(uint32_t *ids, size_t n, sort_order *order, const void *context,
		       uint32_t *merged)
{
	size_t half = n / 2, left = 0, right = half, k = 0;

	if (n < 2)
		return;
	sort_merge(ids, half, order, context, merged);
	sort_merge(ids + half, n - half, order, context, merged);
	while (left < half && right < n) {
		bool from_left = order(ids[left], ids[right], context) <= 0;

		merged[k++] = from_left ? ids[left++] : ids[right++];
	}
	memmove(ids + n - (half - left), ids + left, (half - left) * sizeof(*ids));
	memcpy(ids, merged, k * sizeof(*ids));
}

void sort_ids(uint32_t *ids, size_t n, sort_order *order, const void *context,
	      const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);

	sort_merge(ids, n, order, context, arena_array(&scratch, uint32_t, n));
	arena_free(&scratch);
}
