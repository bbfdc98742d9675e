/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call stacks in a live profile: see gmon_live.h. */
#ifndef IO_PROFILE_LIVE_STACKS_H
#define IO_PROFILE_LIVE_STACKS_H

#include "io/profile/live_objects.h"

/* The blocks that have to do with stacks, or with libraries; all zero is none. Spans point into the
 * file. */
struct live_stacks {
	live_spans nodes, samples, counts;
	struct live_span modules, threads, strings;
};

/* Bytes of a record in blocks of that kind, or 0 if it has nothing to do with stacks. */
unsigned live_stacks_record(uint32_t kind, unsigned ptr_size);

/* Notes a block, whose records are all in the file; mem for what refers to it. */
void live_stacks_note(struct live_stacks *stacks, uint32_t kind, const struct live_span *span,
		      struct arena *mem);

/*
 * Adds the stacks, and calls and ticks of modules, if the program recorded any, to r's sum, with
 * link-time addresses and ticks of `unit`. The program may have died while it wrote: what refers to
 * nothing is left out, and ticks of a stack that is not whole are those of a stack that was cut. 0,
 * or -1 with the reason said. n log n in blocks, else linear.
 */
int live_stacks_add(struct records *r, struct live_stacks *stacks, const struct unit *unit);

#endif
