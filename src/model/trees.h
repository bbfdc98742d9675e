/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded call stacks as exports show them: by thread, and with the addresses on them. */
#ifndef MODEL_TREES_H
#define MODEL_TREES_H

#include "model/recorded.h"
#include "model/stacks.h"

/*
 * An address of code on stacks. All code of a SYM_WHOLE has one such address, and so has all code
 * of the function where the program is entered. All addresses differ.
 */
struct code_address {
	sym_id symbol;
	uint32_t module; /* index in the recording, or RECORDED_NONE */
	uint64_t pc;     /* as in struct recorded_node; for a SYM_WHOLE any of its addresses */
};

#define SLICE_TIMELESS UINT64_MAX

/* What a thread did in a slice of the run's time; trees as below. */
struct slice_trees {
	uint64_t start, end; /* of the slice, in nanoseconds since the start of the run; or
				SLICE_TIMELESS: it is not known when this was */
	struct stacks functions, addresses;
};

/* Times are in the unit of integer_costs.h, samples are ticks. Where waiting is shown, times are in
 * nanoseconds and include it; samples do not. */
struct thread_trees {
	uint32_t thread;         /* index in the recording; RECORDED_NONE: all threads */
	struct stacks functions; /* functions of nodes are symbols */
	struct stacks addresses; /* functions of nodes are indices into call_trees.address */
	/* The same time by slices, in order, what has no time last; n is 0 unless asked for. */
	const struct slice_trees *slice;
	uint32_t nslices;
};

/*
 * The trees of stacks. Stacks that end in a function which the flat profile leaves out do not
 * count.
 */
struct call_trees {
	const struct recorded *recorded;
	struct stacks functions;            /* of all threads */
	const struct code_address *address; /* empty, like `thread`, unless asked for */
	uint32_t naddresses;
	const struct thread_trees *thread; /* threads with time, in the order of the recording */
	uint32_t nthreads;
};

#endif
