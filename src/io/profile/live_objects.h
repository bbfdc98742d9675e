/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the calls and ticks of all modules from gmon.out.live: see gmon_live.h. */
#ifndef IO_PROFILE_LIVE_OBJECTS_H
#define IO_PROFILE_LIVE_OBJECTS_H

#include "io/profile/records.h"

/* The records of a block, numbered from `first`; all zero if there is none. */
struct live_span {
	const unsigned char *bytes;
	uint64_t n, first;
	uint64_t room; /* bytes from `bytes` to the end of the block */
	size_t at;     /* offset of the block in the file */
	/* for cells that live_calls_cells() made: the number of the caller's module for each; else
	 * NULL */
	const uint32_t *module;
};

typedef ARRAY(struct live_span) live_spans;

/*
 * Marks modules of rec that share addresses as unloaded, since the file does not say which of them
 * are still there. n log n.
 */
void live_objects_part(struct recorded *rec, const struct arena *mem);

/*
 * Adds to rec, which has its modules already, the calls and ticks in the cells of these blocks, as
 * GMON=libs would have written them. Addresses that belonged to several modules are put into one
 * more module. Returns false if numbers overflow. n log n in modules, and the logarithm of their
 * number for each cell.
 */
bool live_objects_add(struct recorded *rec, const live_spans *counts, const struct records *r,
		      struct arena *mem);

#endif
