/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree of call paths, with the time spent at the end of each. */
#ifndef MODEL_STACKS_H
#define MODEL_STACKS_H

#include "model/symtab.h"

#include <stdbool.h>
#include <stdint.h>

/* The parent of a path that begins with its function. */
#define STACKS_NONE UINT32_MAX

/* In place of a function: all callees of the path that were left out. */
#define STACKS_REST (UINT32_MAX - 1)

/* What the functions of nodes are indices of. */
enum stacks_of {
	STACKS_OF_SYMBOLS,   /* symbols */
	STACKS_OF_NODES,     /* nodes of the call graph as costs.h numbers them: cycles are one */
	STACKS_OF_ADDRESSES, /* call_trees.address */
	STACKS_OF_ROWS       /* rows of a difference */
};

/* A function at the end of a path. */
struct stack_node {
	uint32_t function; /* as stacks.of says, or STACKS_REST, which calls nothing */
	uint32_t parent;   /* index of the caller's node, or STACKS_NONE */
	uint32_t depth;    /* 0 without a parent */
	uint32_t end;      /* the nodes below it are those before this index */
	uint64_t self;     /* time at the end of this path */
	uint64_t total;    /* the same with all nodes below */
	uint64_t samples, total_samples;
	uint64_t waiting, total_waiting; /* as stacks.adds_waiting says; 0 if not shown */
};

/*
 * Nodes are in depth-first order: each is followed by all that are below it. Children of a node are
 * sorted by the time that was expected in them, most first, STACKS_REST last; no two of them have
 * the same function.
 */
struct stacks {
	enum stacks_of of;
	/* Whether waiting is a part of the times, in their unit; if not, it is separate, in ticks
	 * of the clock. */
	bool adds_waiting;
	const struct stack_node *node;
	uint32_t n;
	uint32_t depth;          /* the greatest of a node */
	uint64_t total, samples; /* of all nodes */
	uint64_t waiting;        /* the same */
	bool estimated;          /* made from counts of calls; no stack was ever seen */
};

#endif
