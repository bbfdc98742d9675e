/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which object file each function is in, for an order of object files. */
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

/* Sorted by function; a function that is named more than once keeps the order of the lines. */
struct object_map {
	const struct map_entry *entry;
	size_t n;
};

/* Sorts n entries, which become the map's. Scratch memory as mem says; n log n. */
struct object_map object_map_build(struct map_entry *entries, size_t n, const struct arena *mem);

/*
 * The entry of a function, or NULL. Of several it is the one that halving the map meets first, for
 * that is the one that gprof always took. O(log n).
 */
const struct map_entry *object_map_find(const struct object_map *map, const char *function);

#endif
