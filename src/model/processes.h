/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processes of a run, with the time that each took. */
#ifndef MODEL_PROCESSES_H
#define MODEL_PROCESSES_H

#include "model/recorded.h"

/* A process, whatever programs it ran one after the other. */
struct process_row {
	const struct recorded_process *last; /* what it ended as */
	uint64_t ticks;
	uint64_t cpu_ns;
};

/* All processes that ran one program; one that ran several counts in each. */
struct process_program {
	const char *path;
	uint32_t nprocesses;
	uint64_t ticks;
	uint64_t cpu_ns;
};

/* The most ticks first, then the most CPU time. */
struct processes {
	const struct process_row *row;
	uint32_t nrows;
	const struct process_program *program;
	uint32_t nprograms;
	uint32_t nchildren; /* processes that another of them has started */
	uint64_t ticks;     /* of all */
	uint64_t cpu_ns;    /* of all, before their recordings, too */
	uint64_t other_ns; /* CPU time of processes that have no recording; 0: not known, or none */
	uint64_t covered;  /* CPU time that is to have samples, in ns, */
	uint64_t unsampled; /* of which so much has none, beyond what chance explains */
};

#endif
