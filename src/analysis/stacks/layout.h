/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From call paths with shares of functions to call paths with times. */
#ifndef ANALYSIS_STACKS_LAYOUT_H
#define ANALYSIS_STACKS_LAYOUT_H

#include "base/array.h"
#include "model/stacks.h"

/* A path that was followed, by the function at its end. */
struct layout_path {
	sym_id function; /* or STACKS_REST, which has no children */
	uint32_t parent; /* the index of the path without that function, or STACKS_NONE */
	uint32_t depth;  /* 0 without a parent */
	double share;    /* of the function's time; of a rest: the time expected in it */
};

/*
 * In the order in which they were found: parents before children, the rests behind all others. A
 * rest of share 0, the only one and without a parent, stands for what no path has taken.
 */
typedef ARRAY(struct layout_path) layout_paths;

/*
 * Gives each path its part of the time and the samples of its function, of which there are nsyms,
 * and lays the paths out as model/stacks.h says, in mem. The parts are whole numbers. Where the
 * shares of a function add up to 1, but for errors of rounding, the parts add up to its time; what
 * is left of the sum of all functions is divided among the rests. A rest of share 0 that gets
 * nothing is left out. Linear.
 */
struct stacks layout_stacks(const layout_paths *paths, const uint64_t *self,
			    const uint64_t *samples, uint32_t nsyms, struct arena *mem);

#endif
