/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up calls between the same two addresses, blocks at the same address, and profiles. */
#ifndef MODEL_MERGE_H
#define MODEL_MERGE_H

#include "model/profile.h"

struct merged_arcs {
	const struct raw_arc *at; /* no two with the same ends, in the order of their appearance */
	uint32_t n;
};

/*
 * Adds n arcs: their calls to those that have the same ends, new ones at the end. The first time,
 * repeats among the arcs of prof are added up, too. false if there might be more than UINT32_MAX.
 * Expected linear in n.
 */
bool profile_add_arcs(struct profile *prof, const struct raw_arc *arcs, size_t n,
		      struct arena *mem);

/*
 * The arcs of prof, of which there are at most UINT32_MAX, added up: in mem, or prof's own if they
 * are already. Expected linear.
 */
struct merged_arcs merge_arcs(const struct profile *prof, struct arena *mem);

/*
 * Adds up the basic blocks with the same address if there are many more than last time. Called
 * after each file it keeps their number proportional to that of addresses; expected linear in all.
 */
void profile_merge_blocks(struct profile *prof, const struct arena *mem);

/*
 * Adds `more`, of files that come behind those of prof, as if they had been read into prof; of the
 * memory of `more`, only the names of files are kept. false if the two do not fit; prof is good for
 * nothing then. Expected linear in `more`, and in prof the first time.
 */
bool profile_add(struct profile *prof, const struct profile *more, struct arena *mem);

#endif
