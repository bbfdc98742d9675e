/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree of call paths, with the time spent at the end of each. */
#ifndef MODEL_STACKS_H
#define MODEL_STACKS_H

#include "model/symtab.h"

#include <stdbool.h>
#include <stdint.h>

/* The parent of a path that has only one function. */
#define STACKS_NONE UINT32_MAX

/* Stands for all callees of a path that were left out. */
#define STACKS_REST (UINT32_MAX - 1)

/* The array in which the `function` of a node is an index. */
enum stacks_of {
	STACKS_OF_SYMBOLS, /* symbols */
	STACKS_OF_NODES, /* nodes of the call graph, numbered as in costs.h: a cycle is one node */
	STACKS_OF_ADDRESSES, /* call_trees.address */
	STACKS_OF_ROWS       /* rows of a difference */
};

/* A path, given by the function at its end and the path of its caller. */
struct stack_node {
	uint32_t function; /* index as stacks.of says; or STACKS_REST, which has no callees */
	uint32_t parent;   /* index of the caller's node; STACKS_NONE: none */
	uint32_t depth;    /* 0 without a parent */
	uint32_t end;  /* the nodes of its subtree are those after it up to, but not including, this
			  index */
	uint64_t self; /* time at the end of this path */
	uint64_t total; /* time of this node and all nodes below it */
	uint64_t samples, total_samples;
	uint64_t waiting, total_waiting; /* see stacks.adds_waiting; 0 if waiting is not shown */
};

/*
 * Nodes are in depth-first order: a node is followed by all nodes below it. Children of a node are
 * sorted by their expected time, the most first, STACKS_REST last; no two of them have the same
 * function.
 */
struct stacks {
	enum stacks_of of;
	/*
	 * Waiting is part of the times, in the same unit. If false, it is separate, in ticks of the
	 * clock.
	 */
	bool adds_waiting;
	const struct stack_node *node;
	uint32_t n;
	uint32_t depth;          /* the greatest depth of a node */
	uint64_t total, samples; /* of all nodes */
	uint64_t waiting;        /* of all nodes */
	bool estimated;          /* made from counts of calls, without recorded stacks */
};

#endif
