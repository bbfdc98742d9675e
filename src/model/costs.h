/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What functions and calls cost: the one model that reports and exports show. */
#ifndef MODEL_COSTS_H
#define MODEL_COSTS_H

#include "base/bitset.h"
#include "model/clock.h"
#include "model/recorded.h"
#include "model/symtab.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Two makers fill in the same values: analysis/costs_estimate.h from samples and numbers of calls,
 * as GNU gprof does, and analysis/costs_measure.h from call stacks. Times are in ticks.
 *
 * Node arrays have an entry for each symbol and after those one for each cycle: cycle c (from 1) is
 * node nsyms + c - 1. Other arrays have an entry for each symbol.
 */

/* Calls of each node; the sum of both is the number in the data. */
struct calls {
	const uint64_t *outer; /* calls by other functions; for a cycle, from outside of it */
	const uint64_t *self;  /* calls by itself; for a cycle, between its different members */
	struct bitset partial; /* nodes that may have had more calls: `outer` is the least; without
				  bits: none */
};

/* Whether a node may have had more calls than are known, if any are; a cycle if a member may. */
static inline bool costs_may_have_more(const struct calls *calls, uint32_t node)
{
	return calls->partial.bits && bitset_has(calls->partial, node);
}

/* Time in a function itself, and in all that it called. */
struct arc_cost {
	double self, children;
};

/*
 * What the call graph shows: time that the user's selection includes. With call stacks, `up` and
 * `down` differ where there is recursion. Each stack counts once for the caller of the outermost
 * frame of a function (`up`), and once for the callee of its innermost one (`down`). So all `up`
 * into a function, with `root`, add up to its self time and children; and all `down` out of it to
 * its children.
 */
struct graph_costs {
	const double *self, *children; /* of each node */
	const struct arc_cost *up;   /* of each arc of the graph: time that counts for the caller */
	const struct arc_cost *down; /* of each arc: the same, as the caller's entry shows it */
	const struct arc_cost *root; /* if measured: for each symbol, the time of stacks that begin
					with it; else NULL */
	struct bitset shown;         /* nodes that have an entry */
	double total;                /* sum of `self` over all symbols */
};

/* The source of costs and its quality. All members except `start` are 0 if costs are estimated. */
struct costs_origin {
	bool measured; /* times are from call stacks, and there are no cycles */
	/* ticks of stacks by quality; all together are the total */
	uint64_t quality[STACK_QUALITIES];
	uint64_t left_out;  /* ticks of stacks that end in the profiler's own functions */
	struct clock clock; /* what ticks count, and whether waiting is shown with them */
	/* the user's name for the threads that are shown; NULL: all are shown */
	const char *threads;
	/* what time of the run is shown, "from 1.20 to 2.40 s"; NULL: all */
	const char *range;
	sym_id start; /* the symbol where the program is entered, or SYM_NONE; runtimes record calls
			 from outside of the program as calls by it */
	const struct recorded *recorded;
	const uint64_t *of_thread; /* ticks of each recorded thread, those not shown included */
};

/*
 * How long threads waited, in ticks of the clock, if clock.waiting is not 0; else all members are
 * 0.
 */
struct costs_waits {
	const double *self, *inclusive;
	double total;
	double rate; /* ticks per second */
	uint64_t quality[STACK_QUALITIES];
	const uint64_t *of_thread; /* waiting of each thread, idle ones included */
};

/*
 * Standard deviations of the waiting of each symbol, in ticks of the kind that measures it: how far
 * chance put it into other functions. NULL: not known. The sum of all functions is exact.
 */
struct wait_errors {
	const double *self, *inclusive;
};

struct costs {
	/* the time in each symbol itself; 0 for symbols that the flat profile leaves out */
	const double *self;
	double total;      /* the sum of `self` */
	const double *own; /* the time in each symbol itself, also in those that the flat profile
			      leaves out */
	double all;        /* the sum of `own` */
	const double *children; /* the time in the callees of each node, whatever is selected */
	struct calls calls;
	struct graph_costs graph;
	struct graph_costs credited; /* if measured: costs of the stacks that are in `total`,
					without `shown`, whatever time is selected for the graph */
	struct costs_waits waits;
	struct wait_errors wait_errors; /* if waiting is shown, alone or beside other times */
	struct costs_origin origin;
};

/* Returns the time of a symbol and of all that it called, whatever is selected. */
static inline double costs_inclusive(const struct costs *costs, sym_id s)
{
	return costs->own[s] + costs->children[s];
}

static inline double costs_arc_sum(const struct arc_cost *cost)
{
	return cost->self + cost->children;
}

#endif
