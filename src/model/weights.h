/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often each function, cycle and arc was called and how much time is charged to it. */
#ifndef MODEL_WEIGHTS_H
#define MODEL_WEIGHTS_H

#include "base/bitset.h"

#include <stdint.h>

/*
 * Node arrays have an entry for each symbol and behind those one for each cycle: cycle c (from 1)
 * is node nsyms + c - 1. Times are in ticks.
 */

/* Calls of each node. The sum of both is what the data said. */
struct calls {
	const uint64_t *outer; /* from other functions; of a cycle, from outside of it */
	const uint64_t *self;  /* from itself; of a cycle, among its different members */
};

/* Samples that fell into each symbol. */
struct ticks {
	const double *self; /* one a symbol */
	double total;       /* all samples but those of symbols that the flat profile leaves out */
};

/* Counts of basic blocks, no two of one address. */
struct blocks {
	uint32_t n;
	const uint32_t *start; /* those of symbol s: start[s] up to, not with, start[s + 1]; as they
				  appeared in the data */
	const uint64_t *pc, *count;
};

/* What an arc brings its caller: from the callee's self time, and from that of its callees. */
struct arc_time {
	double self, children;
};

/* Time charged along the call graph. */
struct weights {
	const double *inherited;    /* a node's time from its callees, whatever is shown */
	const double *self;         /* of this, the part that counts in the graph: self time, */
	const double *children;     /* and that of callees */
	const struct arc_time *arc; /* one for each arc: time spent for the caller */
	/* The same as the caller's entry shows it; other than `arc` only from call stacks with
	 * recursion, as measured.h says: then arc is its `up`, below its `down`. */
	const struct arc_time *below;
	const struct arc_time *root; /* from call stacks: of each symbol, what it was at the bottom
					of; else NULL */
	struct bitset shown;         /* nodes that have an entry in the call graph */
	double total;                /* sum of self over all symbols */
};

#endif
