/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call graph with each cycle as one function, for pictures. */
#ifndef ANALYSIS_STACKS_CONDENSE_H
#define ANALYSIS_STACKS_CONDENSE_H

#include "analysis/stacks/estimate.h"
#include "model/analysis.h"
#include "model/integer_costs.h"

/* Nodes are numbered as in costs.h; members of cycles have neither arcs nor time. */
struct condensed {
	struct graph
		graph; /* its numbers of calls are times: those that arcs bring their callers */
	struct cycles cycles; /* none */
	struct stacks_input input;
};

/*
 * Of the listed functions, by the times in `integer_costs`: so paths through the result have the
 * times that all other exports have, though how members call each other is not in it. Everything
 * lives in mem. n log n in arcs.
 */
struct condensed condense_cycles(const struct analysis *a,
				 const struct integer_costs *integer_costs, struct arena *mem);

#endif
