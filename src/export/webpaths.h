/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paths of a page that has all of them, with the numbers of their frames. */
#ifndef EXPORT_WEBPATHS_H
#define EXPORT_WEBPATHS_H

#include "base/index.h"
#include "export/export_view.h"

struct webpath {
	uint32_t parent, function; /* `parent` is the number of a path, or STACKS_NONE */
};

struct webpaths {
	ARRAY(struct webpath) path;
	struct index index;
};

/* Numbers the paths of e->stacks with time, in e->mem, as frames_make() does. Linear. */
struct webpaths webpaths_make(const struct export_view *e);

/*
 * Sets place[i] to the number of the path of each node of a thread's tree; INDEX_NONE: it has none.
 * Linear.
 */
void webpaths_place(const struct webpaths *paths, const struct stacks *stacks, uint32_t *place);

#endif
