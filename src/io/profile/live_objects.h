/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls and ticks of all modules in a live profile: see gmon_live.h. */
#ifndef IO_PROFILE_LIVE_OBJECTS_H
#define IO_PROFILE_LIVE_OBJECTS_H

#include "io/profile/records.h"

/* Records of a block, numbered from `first`; none if there is no such block. */
struct live_span {
	const unsigned char *bytes;
	uint64_t n, first;
	uint64_t room; /* bytes of the block from `bytes` on */
	size_t at;     /* where in the file the block begins */
};

typedef ARRAY(struct live_span) live_spans;

/*
 * Marks those of rec's modules that share addresses as unloaded: nobody has looked which of them
 * are there. n log n.
 */
void live_objects_part(struct recorded *rec, const struct arena *mem);

/*
 * Adds to rec, whose modules are there, what the cells of these blocks count, as GMON=libs would
 * have written it: what several modules may have had is of a module that is added for it. false if
 * it is more than can be counted. n log n in modules, log n of that for each cell.
 */
bool live_objects_add(struct recorded *rec, const live_spans *counts, const struct records *r,
		      struct arena *mem);

#endif
