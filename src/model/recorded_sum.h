/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up the call stacks, and calls and ticks of modules, of several data files. */
#ifndef MODEL_RECORDED_SUM_H
#define MODEL_RECORDED_SUM_H

#include "base/index.h"
#include "base/strtable.h"
#include "model/recorded.h"

/* What finds things in a sum. All zeros is that of a sum of one file, which is kept as it came. */
struct recorded_index {
	struct index modules, kinds, nodes, arcs, bins;
	struct strtable texts;
	bool is_made;
};

/*
 * Adds `more`, of which nothing is kept, to sum, whose arrays live in mem. Modules are the same if
 * their build ids are, or without one their paths; of one that was loaded at several places, the
 * sum has link-time addresses and no bias. Kinds are the same if name and unit are, but the first
 * is one whatever its unit; nodes, if parent, module and address are; arcs, if both ends are,
 * and bins likewise. All threads are different ones. Apart from the order in which things stand,
 * the sum does not depend on that of adding. false if it has more ticks or things than can be
 * counted; it is good for nothing then. Expected linear in `more`, and in the sum the first time.
 */
bool recorded_sum_add(struct recorded *sum, struct recorded_index *index,
		      const struct recorded *more, struct arena *mem);

/* Makes `more`, which lives in mem, the sum, which recorded_is_empty(). */
void recorded_sum_begin(struct recorded *sum, const struct recorded *more);

/* Counts a data file without stacks; `ignored` if it had some, and a warning was given. */
void recorded_sum_lack(struct recorded *sum, bool ignored);

/*
 * The path of two modules with different build ids, the first such path, or NULL: what is recorded
 * of them stays apart. Scratch memory as mem says; n log n.
 */
const char *recorded_sum_twins(const struct recorded *sum, const struct arena *mem);

/* No more comes: frees what finds things. */
void recorded_sum_end(struct recorded_index *index, struct arena *mem);

#endif
