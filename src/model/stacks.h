/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call paths with the time spent at their ends: a tree. */
#ifndef MODEL_STACKS_H
#define MODEL_STACKS_H

#include "model/symtab.h"

#include <stdbool.h>
#include <stdint.h>

/* The parent of a path that begins with its function. */
#define STACKS_NONE UINT32_MAX

/* In place of a function: all that is called from the path above and was left out. */
#define STACKS_REST (UINT32_MAX - 1)

/* A function at the end of a path. Times are in the unit of what the tree was made from. */
struct stack_node {
	sym_id function; /* or STACKS_REST, which calls nothing; with NEEDS_CYCLES, a node as
			    costs.h numbers them */
	uint32_t parent; /* index of the caller's node, or STACKS_NONE */
	uint32_t depth;  /* 0 without a parent */
	uint32_t end;    /* below it are the nodes up to, not with, this one */
	uint64_t self;   /* time at the end of this path, */
	uint64_t total;  /* and with all nodes below */
	uint64_t samples, total_samples;
	/*
	 * How long it waited: 0 where that was not recorded, or is not shown. In a tree of ticks it
	 * is in those of the clock and beside the times above; in one for exports it is a part of
	 * these, in their unit.
	 */
	uint64_t waiting, total_waiting;
};

/*
 * Nodes stand in depth-first order: behind each all that are below it; those of one parent by the
 * time that was expected below them, most first, the rest last. No two of one parent have the same
 * function.
 */
struct stacks {
	const struct stack_node *node;
	uint32_t n;
	uint32_t depth;          /* the greatest of a node */
	uint64_t total, samples; /* of all nodes */
	uint64_t waiting;        /* the same */
	bool estimated;          /* made from counts of calls; no stack was ever seen */
};

#endif
