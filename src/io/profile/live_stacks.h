/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the call stacks of gmon.out.live: see gmon_live.h. */
#ifndef IO_PROFILE_LIVE_STACKS_H
#define IO_PROFILE_LIVE_STACKS_H

#include "io/profile/live_calls.h"

/* The blocks that stacks and calls of libraries are made of; all zero if there are none. Spans
 * point into the file. */
struct live_stacks {
	live_spans nodes, samples, slices, counts;
	struct live_span modules, threads, strings, kinds, process, timeline, holds;
	struct live_calls calls;
};

/* Returns the size of a record in blocks of this kind; 0: no stacks are made from these. */
unsigned live_stacks_record(uint32_t kind, unsigned ptr_size);

/* Keeps a block whose records are all in the file; the list of blocks is in mem. */
void live_stacks_note(struct live_stacks *stacks, uint32_t kind, const struct live_span *span,
		      struct arena *mem);

/*
 * Adds the stacks, and the calls and ticks of modules, if the program recorded any, to r's sum,
 * with link-time addresses and ticks of `unit`. The program may have died while it wrote: records
 * that refer to nothing are left out, and ticks of an incomplete stack become those of a cut stack.
 * Returns 0, or -1 after an error message. n log n in blocks, else linear.
 */
int live_stacks_add(struct records *r, struct live_stacks *stacks, const struct unit *unit);

#endif
