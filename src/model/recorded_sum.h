/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the call stacks, and calls and ticks of modules, of several data files. */
#ifndef MODEL_RECORDED_SUM_H
#define MODEL_RECORDED_SUM_H

#include "base/index.h"
#include "base/strtable.h"
#include "model/recorded.h"

/*
 * Finds elements of a sum by value. All zero for the sum of one file, which keeps the file's
 * arrays.
 */
struct recorded_index {
	struct index made, modules, kinds, nodes, arcs, bins, parts, holds;
	struct strtable texts;
	bool is_made;
};

/*
 * Adds `more` to sum, whose arrays live in mem; nothing of `more` is kept. Modules are the same if
 * their build ids are, or, without build ids, their paths; a module that was loaded at several
 * addresses has link-time addresses and no bias in the sum. Functions that were
 * made at run time are the same if their names are. Kinds are the same if name and unit
 * are, and the first kind of all files is; nodes, if parent, module and address are; arcs, if both
 * ends are; bins likewise. Threads are never the same. The order of adding changes only the order
 * in the arrays. Returns false if ticks or numbers overflow; the sum must not be used then.
 * Expected linear in `more`, and the first time in the sum.
 */
bool recorded_sum_add(struct recorded *sum, struct recorded_index *index,
		      const struct recorded *more, struct arena *mem);

/*
 * Makes `more`, which lives in mem, the content of the sum, which must be empty
 * (recorded_is_empty()).
 */
void recorded_sum_begin(struct recorded *sum, const struct recorded *more);

/*
 * Counts a data file that adds no stacks: it has none or, if `ignored`, its stacks were ignored
 * with a warning.
 */
void recorded_sum_lack(struct recorded *sum, bool ignored);

/*
 * Returns the first path that two modules with different build ids have, or NULL. Such modules are
 * not added up. Takes temporary memory from mem; n log n.
 */
const char *recorded_sum_rebuilt(const struct recorded *sum, const struct arena *mem);

/* Frees the index; nothing can be added afterwards. */
void recorded_sum_end(struct recorded_index *index, struct arena *mem);

#endif
