/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded call stacks as exports show them: by thread, and with the addresses on them. */
#ifndef MODEL_TREES_H
#define MODEL_TREES_H

#include "model/recorded.h"
#include "model/stacks.h"

/* An address of code on stacks; a SYM_WHOLE has one for all of its code, and so has the function
 * where the program is entered. No two are equal. */
struct code_address {
	sym_id symbol;
	uint32_t module; /* of the recording, or RECORDED_NONE */
	uint64_t pc;     /* that of recorded_node; for a SYM_WHOLE any of them */
};

/* Times are in the unit of integer_costs.h, samples are ticks. Where waiting is shown, times are in
 * nanoseconds and include it; samples do not. */
struct thread_trees {
	uint32_t thread;         /* in the recording; RECORDED_NONE: all threads */
	struct stacks functions; /* a node's function is a symbol */
	struct stacks addresses; /* a node's function is an index into call_trees.address */
};

/* Stacks that end in a function which the flat profile leaves out do not count. */
struct call_trees {
	const struct recorded *recorded;
	struct stacks functions;            /* of all threads */
	const struct code_address *address; /* none, and no threads, unless asked for */
	uint32_t naddresses;
	const struct thread_trees *thread; /* threads with time, in the order of the recording */
	uint32_t nthreads;
};

#endif
