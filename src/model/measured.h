/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time of functions with all that they call, from call stacks. */
#ifndef MODEL_MEASURED_H
#define MODEL_MEASURED_H

#include "model/clock.h"
#include "model/processes.h"
#include "model/recorded.h"
#include "model/stacks.h"

/*
 * Ticks of stacks in which one function calls another. `up` is for the callee's callers: each stack
 * counts once, for whoever called the outermost of that function on it; so all `up` of a callee add
 * up to its inclusive time. `down` is for the caller's callees: each stack that does not end in the
 * caller counts once, for whatever the innermost of that function called; so all `down` of a caller
 * add up to its inclusive less its self time. Without recursion both are the same. Of each, `self`
 * is that of stacks which end in the callee.
 */
struct measured_pair {
	sym_id from; /* SYM_NONE: nobody, the stack begins with `to`; then `down` is 0 */
	sym_id to;
	struct measured_ticks {
		uint64_t self, all;
	} up, down;
};

/* Arrays have an entry for each symbol, by its id. */
struct measured {
	const uint64_t *self;             /* ticks of stacks that end in it, */
	const uint64_t *inclusive;        /* and that have it anywhere: each stack once */
	const struct measured_pair *pair; /* by from, then to; no two alike */
	uint32_t npairs;
	uint64_t total; /* of all stacks: all `self` add up to it, and all `up` of nobody */
};

/* The pair of two functions, or NULL. O(log n). */
static inline const struct measured_pair *measured_find(const struct measured *times, sym_id from,
							sym_id to)
{
	uint32_t lo = 0, hi = times->npairs;

	while (lo < hi) {
		uint32_t middle = lo + (hi - lo) / 2;
		const struct measured_pair *pair = &times->pair[middle];

		if (pair->from < from || (pair->from == from && pair->to < to))
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < times->npairs && times->pair[lo].from == from && times->pair[lo].to == to
		       ? &times->pair[lo]
		       : NULL;
}

/* All that reports show of call stacks, or of those of some threads. */
struct call_stacks {
	struct measured times;
	struct stacks tree;                /* with NEEDS_STACKS: of all, or of what was asked for */
	uint64_t quality[STACK_QUALITIES]; /* ticks of stacks that are so; add up to times.total */
	uint64_t left_out; /* ticks of stacks that end in the profiler's own functions */
	sym_id start;      /* where the program is entered, or SYM_NONE; runtimes count calls from
			      outside of the program as its own */
	const struct recorded *recorded;
	struct processes processes;
	const uint64_t *of_thread; /* ticks of each recorded thread, those not shown included */
	struct clock clock;        /* what ticks are of */
	/* With clock.waiting: how long threads waited, in ticks of which so many are a second. */
	struct call_waits {
		struct measured times;
		uint64_t quality[STACK_QUALITIES];
		const uint64_t *of_thread; /* idle ones included */
		double rate;
	} waits;
	const char *threads; /* that are shown: as they were asked for; NULL: all */
};

#endif
