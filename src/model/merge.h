/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up calls between the same two addresses. */
#ifndef MODEL_MERGE_H
#define MODEL_MERGE_H

#include "model/profile.h"

struct merged_arcs {
	const struct raw_arc *at; /* no two with the same ends, in the order of their appearance */
	uint32_t n;
};

/* The arcs of prof, of which there are at most UINT32_MAX, added up, in mem. Expected linear. */
struct merged_arcs merge_arcs(const struct profile *prof, struct arena *mem);

#endif
