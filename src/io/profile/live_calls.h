/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the counts of call sites (GMON=calls) from gmon.out.live: see gmon_live.h. */
#ifndef IO_PROFILE_LIVE_CALLS_H
#define IO_PROFILE_LIVE_CALLS_H

#include "io/profile/ext_fields.h"
#include "io/profile/live_objects.h"

/* The blocks; all zero if there are none. */
struct live_calls {
	struct live_span objects;
	live_spans sites, parts;
	live_spans counts; /* of each thread */
};

/*
 * Returns cells as a block of COUNTS has them, one for each site that was called, in mem, with
 * the least number of a first call in any thread. Counts that do not fit 64 bits are the most that
 * do. Linear in sites, times threads and log n in objects.
 */
struct live_span live_calls_cells(const struct live_calls *calls, const struct records *r,
				  struct arena *mem);

/* The number of the first call of a cell. */
uint64_t live_calls_first(const struct live_span *cells, uint64_t cell, bool big);

/*
 * Adds to rec, whose modules are there, which objects were counted, and which functions only
 * partly. What refers to nothing is left out. Linear.
 */
void live_calls_describe(const struct live_calls *calls, const struct ext_source *source,
			 struct recorded *rec, struct arena *mem);

#endif
