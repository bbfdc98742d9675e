/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call paths that begin with their program or process, for pictures of several processes. */
#ifndef EXPORT_PROCESSSTACKS_H
#define EXPORT_PROCESSSTACKS_H

#include "export/export_view.h"

/* The values of the key `level`. */
enum processstacks_level { PROCESSSTACKS_PROGRAMS, PROCESSSTACKS_PROCESSES, PROCESSSTACKS_NONE };

/* The `function` of the node of the first program or process; those of the others follow. */
#define PROCESSSTACKS_FIRST (UINT32_MAX / 2)

/*
 * The paths of all threads, each below a node of its program or process, with its names by number:
 * "cc1plus", or "cc1plus 4711". Without several processes, n is 0 and the stacks are e->stacks.
 */
struct processstacks {
	struct stacks stacks;
	const char *const *name;
	uint32_t n;
};

/* Makes them in e->mem. Linear in nodes of all threads, but that it sorts them. */
struct processstacks processstacks_make(const struct export_view *e,
					enum processstacks_level level);

/* Returns the name of a node's program or process; NULL: it is of a function. */
static inline const char *processstacks_name(const struct processstacks *of,
					     const struct stack_node *node)
{
	uint32_t i = node->function - PROCESSSTACKS_FIRST;

	return node->function >= PROCESSSTACKS_FIRST && i < of->n ? of->name[i] : NULL;
}

#endif
