/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes call paths with times from call paths with shares. */
#ifndef ANALYSIS_STACKS_LAYOUT_H
#define ANALYSIS_STACKS_LAYOUT_H

#include "base/array.h"
#include "model/stacks.h"

/* A path, given by the function at its end and the path above. */
struct layout_path {
	sym_id function; /* STACKS_REST: a rest, which has no children */
	uint32_t parent; /* the index of the path above; STACKS_NONE: the path begins here */
	uint32_t depth;  /* number of functions above; 0 without a parent */
	double share;    /* of the function's time; for a rest, the time expected in it */
};

/*
 * Paths in the order in which they were found: parents before children, and rests after all others.
 * If there is only one rest, without a parent and with share 0, it gets the time that no path has
 * taken.
 */
typedef ARRAY(struct layout_path) layout_paths;

/*
 * Gives each path its part of the time and of the samples of its function, and lays the paths out
 * as model/stacks.h says, in mem. There are nsyms functions. Parts are whole numbers. If the shares
 * of a function add up to 1, but for rounding errors, the parts add up to its time. The rest of the
 * time of all functions is divided among the rests. A rest of share 0 that gets nothing is left
 * out. Linear.
 */
struct stacks layout_stacks(const layout_paths *paths, const uint64_t *self,
			    const uint64_t *samples, uint32_t nsyms, struct arena *mem);

#endif
