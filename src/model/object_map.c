/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting and searching a map of functions to object files. */
#include "config.h"

#include "model/object_map.h"

#include <stdlib.h>
#include <string.h>

/* An entry and its position in the map's file, which decides the order of equal entries. */
struct symbolized {
	struct map_entry entry;
	size_t place;
};

static int object_map_order(const void *a, const void *b)
{
	const struct symbolized *x = a, *y = b;
	int order = strcmp(x->entry.function, y->entry.function);

	return order ? order : (x->place > y->place) - (x->place < y->place);
}

struct object_map object_map_build(struct map_entry *entries, size_t n, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct symbolized *sorted = arena_array(&scratch, struct symbolized, n);

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct symbolized){ entries[i], i };
	qsort(sorted, n, sizeof(*sorted), object_map_order);
	for (size_t i = 0; i < n; i++)
		entries[i] = sorted[i].entry;
	arena_free(&scratch);
	return (struct object_map){ entries, n };
}

const struct map_entry *object_map_find(const struct object_map *map, const char *function)
{
	size_t lo = 0, hi = map->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int order = strcmp(function, map->entry[mid].function);

		if (order == 0)
			return &map->entry[mid];
		if (order < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}
