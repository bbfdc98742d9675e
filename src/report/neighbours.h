/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function's callers and its callees, each in the order in which the call graph lists them. */
#ifndef REPORT_NEIGHBOURS_H
#define REPORT_NEIGHBOURS_H

#include "model/analysis.h"

/* Who calls whom along an arc. */
enum arc_kind { BY_ITSELF, BY_CYCLE, BY_OTHERS };

/* One of them: lists are by rank and, where that is equal, by calls, the least first. */
struct neighbour {
	uint64_t rank, calls; /* for neighbours_kind() and neighbours_calls() */
	uint32_t arc;         /* or NEIGHBOURS_ROOT: no caller, but the beginning of call stacks */
	sym_id other;         /* the caller or callee; for NEIGHBOURS_ROOT, the function itself */
};

#define NEIGHBOURS_ROOT UINT32_MAX

/* Room for the longest list of a run. */
struct neighbours {
	const struct arc_cost *time; /* of arcs, as seen from the function */
	struct neighbour *at, *spare;
	uint32_t n;
	uint64_t flipped; /* bits of ranks and calls: all in a list that has the most first */
};

static inline enum arc_kind neighbours_kind(const struct neighbours *list,
					    const struct neighbour *line)
{
	uint64_t rank = line->rank ^ list->flipped;

	return rank < BY_OTHERS ? (enum arc_kind)rank : BY_OTHERS;
}

static inline uint64_t neighbours_calls(const struct neighbours *list, const struct neighbour *line)
{
	return line->calls ^ list->flipped;
}

/* Allocates the list in mem. Linear in nodes. */
struct neighbours neighbours_make(const struct graph *graph, struct arena *mem);

/* The same for lists of at most so many arcs. */
struct neighbours neighbours_make_room(uint32_t most, struct arena *mem);

/*
 * Fill the list with the arcs into or out of s. The heaviest caller stands next to the function,
 * and so does the heaviest callee: callers have the least time first, then the fewest calls, then
 * the arc that appeared first in the data; in front of all, by calls alone, those of the function
 * itself and then those in its cycle. Callees stand the other way round, but again the arc that
 * appeared first before others alike. From call stacks, callers that were never counted and for
 * whom no time was spent, and such callees, are left out. n log n in the arcs listed.
 */
void neighbours_callers(struct neighbours *list, const struct analysis *a, sym_id s);
void neighbours_callees(struct neighbours *list, const struct analysis *a, sym_id s);

/*
 * Whether an arc, which is of the program's entry point and has no time, counts calls from outside
 * of the program: callees of the entry point it is not.
 */
bool neighbours_is_outside(const struct analysis *a, uint32_t arc);

#endif
