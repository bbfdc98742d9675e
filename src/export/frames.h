/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rectangles of a flame graph: the nodes of the stacks that are wide enough to be seen. */
#ifndef EXPORT_FRAMES_H
#define EXPORT_FRAMES_H

#include "base/arena.h"
#include "model/stacks.h"

/* The node of a frame that joins small nodes of one parent, with their subtrees. */
#define FRAME_SMALL UINT32_MAX

struct frame {
	uint32_t node;        /* index in the stacks, or FRAME_SMALL */
	uint32_t depth;       /* 0 if it has no parent */
	uint32_t count;       /* number of nodes joined; 1 if it is not FRAME_SMALL */
	uint64_t at;          /* position of the left edge, in time: from 0 to the stacks' total */
	uint64_t total;       /* width, in time */
	uint64_t self;        /* time at the right end with no frame above it */
	uint64_t waiting;     /* waiting time, part of `total` */
	uint64_t own_waiting; /* waiting time that is part of `self` */
};

/* In depth-first order: the frames of one parent from left to right, the small ones last. */
struct frames {
	const struct frame *frame;
	uint32_t n;
	uint32_t depth; /* the greatest depth of a frame */
};

/*
 * Makes a frame for each node with a total of at least `least`, which is 1 or more. All smaller
 * nodes of one parent become one frame, without their subtrees; nodes without time have no frame.
 * So one depth has at most 2 * total / least + 1 frames. Linear in nodes; the result is in mem.
 */
struct frames frames_make(const struct stacks *stacks, uint64_t least, struct arena *mem);

#endif
