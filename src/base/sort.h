/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts small numbers stably, by a comparison of what they stand for. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Negative, zero or positive if x belongs before, with or after y. */
typedef int sort_order(uint32_t x, uint32_t y, const void *context);

/*
 * Sorts n ids; those that compare equal keep their order. Top-down merge sort that splits into
 * n / 2 and the rest and merges from the left while left <= right: the result is defined even for
 * an order that is not transitive. n log n, with n ids of scratch memory freed at once.
 */
void sort_ids(uint32_t *ids, size_t n, sort_order *order, const void *context,
	      const struct arena *mem);

#endif
