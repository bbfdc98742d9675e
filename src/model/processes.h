/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processes of a recording by gprof --run, with the time that each took. */
#ifndef MODEL_PROCESSES_H
#define MODEL_PROCESSES_H

#include "model/recorded.h"

/*
 * A process, which may have run several programs, one after the other; or n processes whose last
 * program is the same and that ended alike, if each has little time. Times are of all n.
 */
struct process_row {
	const struct recorded_process *last; /* its last program; of n processes, one of them */
	uint32_t n;                          /* 1 or more */
	bool same_command;                   /* all n had the same command */
	uint64_t ticks;
	uint64_t cpu_ns;
};

/* A program that processes executed. A process that executed several programs counts in each. */
struct process_program {
	const char *path;
	uint32_t nprocesses;
	uint64_t ticks;
	uint64_t cpu_ns;
};

/* Rows and programs are sorted by ticks, then by CPU time, the most first. */
struct processes {
	const struct process_row *row;
	uint32_t nrows;
	uint32_t nprocesses; /* which is more if some have one row together */
	const struct process_program *program;
	uint32_t nprograms;
	uint32_t nchildren; /* processes that were started by another process of the run */
	uint64_t ticks;     /* of all processes */
	uint64_t cpu_ns;   /* of all processes, including the time before their recordings began, in
			      nanoseconds */
	uint64_t other_ns; /* CPU time of processes without a recording, in nanoseconds; 0: none, or
			      not known */
	uint64_t covered;  /* CPU time that should have samples, in ns */
	/* part of `covered` without samples, beyond what chance explains, in ns */
	uint64_t unsampled;
	/* processes without any sample, and their CPU time in ns, which is part of `covered` */
	uint32_t nunseen;
	uint64_t unseen_ns;
};

/* How many programs the first screen names: those with most time, if they have any. */
static inline uint32_t processes_on_screen(const struct processes *p)
{
	enum { MOST = 5 };
	uint32_t n = 0;

	while (n < p->nprograms && n < MOST && p->program[n].ticks > 0)
		n++;
	return n;
}

#endif
