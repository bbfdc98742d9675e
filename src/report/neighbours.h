/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function's callers and callees, each in the order in which the call graph lists them. */
#ifndef REPORT_NEIGHBOURS_H
#define REPORT_NEIGHBOURS_H

#include "model/analysis.h"

/* The relation of caller and callee of an arc. */
enum arc_kind { BY_ITSELF, BY_CYCLE, BY_OTHERS };

/* A caller or callee: lists are sorted by ascending rank, then by ascending calls. */
struct neighbour {
	uint64_t rank, calls; /* for neighbours_kind() and neighbours_calls() */
	uint32_t arc; /* an arc, or NEIGHBOURS_ROOT: the function was the root of call stacks */
	sym_id other; /* the caller or callee; for NEIGHBOURS_ROOT, the function itself */
};

#define NEIGHBOURS_ROOT UINT32_MAX

/* A list, with room for the longest one of a run. */
struct neighbours {
	const struct arc_cost *time; /* times of arcs, as seen from the function */
	struct neighbour *at, *spare;
	uint32_t n;
	uint64_t flipped; /* XORed with ranks and calls; all bits: descending order */
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

/* Allocates a list for the longest list of the graph, in mem. Linear in nodes. */
struct neighbours neighbours_make(const struct graph *graph, struct arena *mem);

/* Allocates a list of at most `most` arcs, in mem. */
struct neighbours neighbours_make_room(uint32_t most, struct arena *mem);

/*
 * Fill the list with the arcs into or out of s. The heaviest callers and callees are next to the
 * function: callers are sorted by ascending time, then calls, then first appearance in the data;
 * before all of them, sorted by calls alone, are the function itself and then members of its cycle.
 * Callees have the reverse order, except that equal arcs are still in order of appearance. With
 * call stacks, arcs without counted calls and without time are omitted. n log n in the arcs listed.
 */
void neighbours_callers(struct neighbours *list, const struct analysis *a, sym_id s);
void neighbours_callees(struct neighbours *list, const struct analysis *a, sym_id s);

/* Whether an arc stands for calls from outside of the program: its caller is the entry point and it
 * has no time. Such an arc is not listed among the entry point's callees. */
bool neighbours_is_outside(const struct analysis *a, uint32_t arc);

#endif
