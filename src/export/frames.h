/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rectangles of a flame graph: the stacks without what is too small to be seen. */
#ifndef EXPORT_FRAMES_H
#define EXPORT_FRAMES_H

#include "base/arena.h"
#include "model/stacks.h"

/* In place of a node: several small ones of one parent, with all that is below them. */
#define FRAME_SMALL UINT32_MAX

struct frame {
	uint32_t node;        /* of the stacks, or FRAME_SMALL */
	uint32_t depth;       /* 0 without a parent */
	uint32_t count;       /* of small ones; else 1 */
	uint64_t at;          /* times: what is on its left, from 0 to the stacks' total, */
	uint64_t total;       /* its width, */
	uint64_t self;        /* and what is at its right end without a frame above */
	uint64_t waiting;     /* time of waiting, a part of its width */
	uint64_t own_waiting; /* and of its self */
};

/* In depth-first order: the frames of one parent from left to right, the small ones last. */
struct frames {
	const struct frame *frame;
	uint32_t n;
	uint32_t depth; /* the greatest of a frame */
};

/*
 * A frame for each node with a total of `least` or more, which is 1 or more. All nodes of one
 * parent that have less become one frame, and what is below them is left out; nodes without any
 * time have none. So one depth has at most 2 * total / least + 1 frames. Linear in nodes; in mem.
 */
struct frames frames_make(const struct stacks *stacks, uint64_t least, struct arena *mem);

#endif
