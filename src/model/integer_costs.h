/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What functions and calls cost in whole numbers, and which functions have any cost to speak of. */
#ifndef MODEL_INTEGER_COSTS_H
#define MODEL_INTEGER_COSTS_H

#include "base/rounding.h"
#include "model/symtab.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Arrays have an entry for each symbol, by its id, but `listed`, and `arc`, by the graph's arcs.
 * Times are nanoseconds if `timed`, else ticks. Nothing exceeds INT64_MAX.
 */
struct integer_costs {
	const sym_id *listed; /* by id: symbols with time in the flat profile or with calls in the
				 call graph, */
	uint32_t nlisted;     /* and how many they are */
	bool timed;           /* the data say how long a tick is, or have no ticks at all */
	bool exact;           /* ticks are no samples, but events or time by the clock */
	bool has_calls;       /* some are known; else they were not counted, or there were none */
	const char *counted;  /* what ticks are if not timed: "samples", or such as "page-faults" */
	double per_tick;      /* units of time in a tick, */
	double per_credit;    /* and in one that symbols are credited with, whose sum may be off */
	const uint64_t *self; /* self time as in the flat profile; adds up to `total`, which is that
				 of `nsamples` whole ticks unless these are none */
	const uint64_t *samples; /* ticks; add up to `nsamples` */
	uint64_t total, nsamples;

	/*
	 * Estimated from the counts of calls, as analysis/stacks/estimate.h says: time that an arc
	 * brings its caller, 0 for those that are cut; and the time of each node, as costs.h
	 * numbers them, with all that it calls. All arcs into a function add up to its inclusive
	 * time unless all are cut, and its self time and its arcs to others do. Of a cycle, it is
	 * the self times of the members and their arcs to others. No selection of times counts.
	 *
	 * From call stacks, where there are some: measured, as measured.h says of `down` and
	 * `inclusive`. With recursion, arcs into a function may add up to more than that; by `up`
	 * they do not, with what stacks that begin with it have, `root`. Else `up` is `arc`, and
	 * `root` 0.
	 */
	const uint64_t *arc, *inclusive;
	const uint64_t *up, *root;
	/* If waiting is shown with the times: nanoseconds that threads waited in a symbol and in
	 * its callees. Else NULL and 0. */
	const uint64_t *waiting;
	uint64_t total_waiting;
};

/* What a column of times is in: seconds, or whatever is counted. */
static inline const char *integer_costs_unit(const struct integer_costs *integer_costs)
{
	return integer_costs->timed ? "s" : integer_costs->counted;
}

/* Rounds a time in ticks to whole units; of the parts of a sum, rounding.h keeps the total. */
static inline uint64_t integer_costs_rounded(const struct integer_costs *integer_costs,
					     double ticks)
{
	return rounding_nearest(ticks, integer_costs->per_credit);
}

/*
 * The sampling error of a time in ticks, in whole units: of n samples that fall by chance, the
 * standard deviation is the root of n.
 */
static inline uint64_t integer_costs_error(const struct integer_costs *integer_costs, double ticks)
{
	double root = ticks < 1.0 ? 1.0 : ticks;

	/* Newton's method from above: each step at least halves the error. */
	for (unsigned i = 0; ticks > 0.0 && i < 64; i++)
		root = (root + ticks / root) / 2.0;
	return ticks > 0.0 && !integer_costs->exact
		       ? rounding_nearest(root, integer_costs->per_tick)
		       : 0;
}

#endif
