/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that call each other in cycles, and an order of all functions. */
#ifndef MODEL_CYCLES_H
#define MODEL_CYCLES_H

#include "model/symtab.h"

/*
 * Cycles are the strongly connected components of two or more functions. They are numbered from
 * 1 by the address of their heads, the member that the depth-first walk met first.
 */
struct cycles {
	uint32_t ncycles;
	const uint32_t *of_node; /* for each node, the number of its cycle, or 0 */
	const uint32_t *start; /* members of cycle c: member[start[c - 1]] up to, but not including,
				  member[start[c]] */
	const sym_id *member;  /* the members of each cycle: first the head, then in the order in
				  which the walk closed arcs */
	const sym_id *topo; /* all nodes, callees before callers; members of a cycle are together,
			       by address */
};

#endif
