/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of functions and calls as whole numbers, and the list of functions that have costs. */
#ifndef MODEL_INTEGER_COSTS_H
#define MODEL_INTEGER_COSTS_H

#include "base/rounding.h"
#include "model/symtab.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Arrays have an entry for each symbol, except `listed`, and `arc` and `up`, which have one for
 * each arc of the graph. Times are nanoseconds if `timed`, else ticks. Nothing exceeds INT64_MAX.
 */
struct integer_costs {
	const sym_id *listed; /* symbols with time in the flat profile or with calls in the call
				 graph, by id */
	uint32_t nlisted;     /* number of these */
	bool timed;           /* the data say how long a tick is, or have no ticks at all */
	bool exact; /* ticks are not samples, but counted events, or time measured by a clock */
	/* some calls are known; if false, calls were not counted, or none was made */
	bool has_calls;
	const char *counted; /* if not `timed`, what ticks are: "samples", or for example
				"page-faults" */
	double per_tick;     /* units of time in a tick */
	double per_credit; /* units of time in a tick that is divided among symbols; the sum of such
			      parts may be slightly off */
	const uint64_t *self; /* self time as in the flat profile; adds up to `total`, which is the
				 time of `nsamples` whole ticks unless there are none */
	const uint64_t *samples; /* ticks; add up to `nsamples` */
	uint64_t total, nsamples;

	/*
	 * Estimated from the counts of calls, as analysis/stacks/estimate.h says: time that an arc
	 * brings its caller, 0 for those that are cut; and the time of each node, as costs.h
	 * numbers them, with all that it calls. All arcs into a function add up to its inclusive
	 * time unless all are cut, and its self time and its arcs to others do. The time of a cycle
	 * is the sum of its members' self times and their arcs to others. The user's selection of
	 * times has no effect.
	 *
	 * If there are call stacks, `arc` and `inclusive` are measured: they are `down` and
	 * `inclusive` of measure.h. With recursion, `arc` of all arcs into a function may add up to
	 * more than its inclusive time. `up` of these arcs and `root`, the time of stacks that
	 * begin with the function, add up to exactly that time. Without call stacks `up` is `arc`,
	 * and `root` is 0.
	 */
	const uint64_t *arc, *inclusive;
	const uint64_t *up, *root;
	/*
	 * Nanoseconds that threads waited in a symbol and in its callees, if waiting is shown with
	 * the times; else NULL and 0.
	 */
	const uint64_t *waiting;
	uint64_t total_waiting;
	const uint64_t *waiting_error; /* its standard deviation by chance; NULL: not known */
};

/* Returns the unit of a column of times: seconds, or whatever is counted. */
static inline const char *integer_costs_unit(const struct integer_costs *integer_costs)
{
	return integer_costs->timed ? "s" : integer_costs->counted;
}

/*
 * Rounds a time in ticks to whole units. For the parts of a sum use rounding.h, which keeps the
 * total.
 */
static inline uint64_t integer_costs_rounded(const struct integer_costs *integer_costs,
					     double ticks)
{
	return rounding_nearest(ticks, integer_costs->per_credit);
}

/*
 * Returns the sampling error of a time in ticks, in whole units: the standard deviation of n random
 * samples is the square root of n.
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
