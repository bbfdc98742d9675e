/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up by hashing both addresses; open addressing, at most half full. Expected linear. */
#include "config.h"

#include "model/merge.h"

static uint64_t hash_ends(const struct raw_arc *arc)
{
	uint64_t h = arc->from_pc * 0x9e3779b97f4a7c15u ^ arc->self_pc * 0xc2b2ae3d27d4eb4fu;

	return h ^ h >> 29;
}

struct merged_arcs merge_arcs(const struct profile *prof, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct raw_arc *merged = arena_array(mem, struct raw_arc, prof->arcs.n);
	size_t nslots = 16;
	uint32_t *slot, n = 0;

	while (nslots < 2 * prof->arcs.n)
		nslots *= 2;
	slot = arena_array(&scratch, uint32_t, nslots); /* index into merged plus 1, 0 is free */
	for (size_t i = 0; i < prof->arcs.n; i++) {
		const struct raw_arc *arc = &prof->arcs.at[i];
		uint64_t h = hash_ends(arc);
		uint32_t *s = &slot[h & (nslots - 1)];

		while (*s && (merged[*s - 1].from_pc != arc->from_pc ||
			      merged[*s - 1].self_pc != arc->self_pc))
			s = &slot[++h & (nslots - 1)];
		if (*s) {
			merged[*s - 1].ncalls += arc->ncalls;
		} else {
			merged[n++] = *arc;
			*s = n;
		}
	}
	arena_free(&scratch);
	return (struct merged_arcs){ merged, n };
}
