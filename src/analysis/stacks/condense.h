/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call graph with each cycle as one function, for pictures. */
#ifndef ANALYSIS_STACKS_CONDENSE_H
#define ANALYSIS_STACKS_CONDENSE_H

#include "analysis/stacks/estimate.h"
#include "model/analysis.h"
#include "model/integer_costs.h"

/* Nodes are numbered as in costs.h; members of cycles have neither arcs nor time of their own. */
struct condensed {
	struct graph graph;   /* its numbers of calls are times: the time that each arc gives to its
				 caller */
	struct cycles cycles; /* empty */
	struct stacks_input input;
};

/*
 * Makes this graph of the listed functions, with the times in `integer_costs`, so that paths
 * through it have the same times as in all other exports. Calls between members of a cycle are left
 * out. The result lives in mem. n log n in arcs.
 */
struct condensed condense_cycles(const struct analysis *a,
				 const struct integer_costs *integer_costs, struct arena *mem);

#endif
