/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The object file of each function, for an order of object files. */
#ifndef MODEL_OBJECT_MAP_H
#define MODEL_OBJECT_MAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* One line of a map. The first of successive lines with the same object leads it. */
struct map_entry {
	const char *function, *object;
	bool leads;
};

/* Sorted by function; entries of one function are in the order of the lines. */
struct object_map {
	const struct map_entry *entry;
	size_t n;
};

/* Sorts n entries, which become the map's. Takes temporary memory from mem; n log n. */
struct object_map object_map_build(struct map_entry *entries, size_t n, const struct arena *mem);

/*
 * Returns the entry of a function, or NULL. Of several entries, returns the one that bisection
 * finds first, as GNU gprof does. O(log n).
 */
const struct map_entry *object_map_find(const struct object_map *map, const char *function);

#endif
