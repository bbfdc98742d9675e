/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded call stacks as exports show them: by thread, and with the addresses on them. */
#ifndef MODEL_TREES_H
#define MODEL_TREES_H

#include "model/recorded.h"
#include "model/stacks.h"

/* Code on stacks: an address in a function; one for all of a SYM_WHOLE, and one for all of the
 * function that the program is entered at. No two are alike. */
struct code_address {
	sym_id symbol;
	uint32_t module; /* of the recording, or RECORDED_NONE */
	uint64_t pc;     /* as recorded_node has it; of a SYM_WHOLE any */
};

/* Times are in the unit of integer_costs.h, samples are ticks; with waiting, which then is in
 * nanoseconds, it is part of the times, and no samples are of it. */
struct thread_trees {
	uint32_t thread;         /* in the recording; RECORDED_NONE: all threads */
	struct stacks functions; /* a node's function is a symbol */
	struct stacks addresses; /* a node's function is an index into call_trees.address */
};

/* Stacks that end in a function which the flat profile leaves out do not count. */
struct call_trees {
	const struct recorded *recorded;
	struct stacks functions;            /* of all threads */
	const struct code_address *address; /* none, and no threads, unless they are wanted */
	uint32_t naddresses;
	const struct thread_trees *thread; /* those with time, in the order of the recording */
	uint32_t nthreads;
};

#endif
