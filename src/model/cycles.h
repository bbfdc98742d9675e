/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions call each other in cycles, and an order of the rest. */
#ifndef MODEL_CYCLES_H
#define MODEL_CYCLES_H

#include "model/symtab.h"

/*
 * Cycles are the strongly connected components of two or more functions. They are numbered from
 * 1 by the address of their heads, the member that the depth-first walk met first.
 */
struct cycles {
	uint32_t ncycles;
	const uint32_t *of_node; /* 0, or the cycle's number */
	const uint32_t
		*start; /* members of cycle c: member[start[c - 1]] to before member[start[c]] */
	const sym_id *member; /* the head first, then in the order in which the walk closed arcs */
	const sym_id *topo;   /* all nodes, callees before callers; a cycle's members together, by
				 address */
};

#endif
