/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "export/webpaths.h"

INDEX_KEY(webpaths_key, struct webpath, x->parent, x->function)

struct webpaths webpaths_make(const struct export_view *e)
{
	const struct stacks *stacks = e->stacks;
	uint32_t *place = arena_array(e->mem, uint32_t, stacks->n);
	struct webpaths paths = { 0 };

	for (uint32_t i = 0; i < stacks->n; i++) {
		const struct stack_node *node = &stacks->node[i];
		struct webpath path = { STACKS_NONE, node->function };

		if (node->total == 0)
			continue;
		if (node->parent != STACKS_NONE)
			path.parent = place[node->parent];
		place[i] = index_intern(&paths.index, &paths.path, &path, webpaths_key, e->mem);
	}
	return paths;
}

void webpaths_place(const struct webpaths *paths, const struct stacks *stacks, uint32_t *place)
{
	for (uint32_t i = 0; i < stacks->n; i++) {
		const struct stack_node *node = &stacks->node[i];
		struct webpath path = { STACKS_NONE, node->function };

		if (node->parent != STACKS_NONE)
			path.parent = place[node->parent];
		place[i] = index_lookup(&paths->index, paths->path.at, webpaths_key, &path);
	}
}
