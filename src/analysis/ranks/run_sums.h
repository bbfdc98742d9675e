/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums over the runs of a program, for --ranks, --confidence and --diff. A run is whatever the
 * caller compares: a data file, a process with recorded call stacks, or a thread. Runs are added up
 * one after the other, so memory is that of functions, however many runs there are.
 */
#ifndef ANALYSIS_RANKS_RUN_SUMS_H
#define ANALYSIS_RANKS_RUN_SUMS_H

#include "base/array.h"
#include "model/clock.h"
#include "model/profile.h"
#include "model/ranks.h"
#include "model/selection.h"
#include "model/symbolized.h"

/* Of a function, or of several that are added up together. */
struct run_sum {
	/* Of the current run; all are 0 between runs: */
	double ticks_now;
	uint64_t calls_now;
	bool touched; /* it is in run_sums.touched */
	/* Of all runs that have ended: */
	double total, squares;  /* sums of ticks and of their squares */
	double products;        /* sum of ticks times all ticks of their run */
	double min, max;        /* least and most ticks of the runs that have any */
	uint32_t n;             /* how many have any */
	uint32_t least, most;   /* the first run with `min`, and with `max` */
	uint32_t first_without; /* the first run without ticks, if runs end in their order */
	uint64_t calls, min_calls, max_calls; /* the same of calls */
	uint32_t ncalls, most_calls;
};

struct run_sums {
	uint32_t n;           /* sum[n] is for ticks in no function */
	struct run_sum *sum;  /* n + 1 */
	const uint32_t *sums; /* the index in `sum` of each symbol; NULL: its own number */
	double *total;        /* all ticks of each run; belongs to the caller */
	double scaled_to; /* runs are scaled to so many ticks, but for `total`; 0: they are not */
	double now;       /* all ticks of the current run */
	ARRAY(uint32_t) touched;        /* indices with anything in the current run */
	const struct bitset *wanted;    /* indices whose cells are kept; NULL: none */
	ARRAY(struct ranks_cell) cells; /* `row` is the index in `sum` */
	struct hist like; /* the range of the last histogram, and for each of its bins the symbol */
	uint32_t *of_bin; /* that has all of it, plus 2; 1: there is none; 0: not looked up yet */
	struct arena *mem; /* used by no other thread */
};

/* Starts sums of n functions, or groups of functions; the caller sets the other members. `total`
 * has an entry for each run, all 0. Allocates in mem; pages that are not used take no memory. */
struct run_sums run_sums_begin(uint32_t n, double *total, struct arena *mem);

/* Adds ticks to the current run, without its `now`; SYM_NONE: in no function. Constant time. */
void run_sums_add(struct run_sums *sums, sym_id s, double ticks);

/*
 * Adds to the current run what the histograms of its profile have, in functions of `credited` and
 * in none, each tick as `scale` ticks. Linear in bins; a bin's symbol is looked up once if all runs
 * have one histogram, of the same range.
 */
void run_sums_add_bins(struct run_sums *sums, const struct profile *run,
		       const struct symtab *symtab, struct bitset credited, double scale);

/* Adds the calls of functions by others. n log n in arcs. */
void run_sums_add_arcs(struct run_sums *sums, const struct profile *run,
		       const struct symtab *symtab, const struct selection *sel);

/* Whether the current run has ticks, but none in a function, and no calls. Linear in the functions
 * that it has. */
bool run_sums_is_foreign(const struct run_sums *sums);

/* Ends the current run, which has this number. Linear in the functions that it has. */
void run_sums_end_run(struct run_sums *sums, uint32_t run);

/* Adds sums of other runs, or of the calls of the same runs, with the same `total`. Linear in
 * functions and cells. */
void run_sums_join(struct run_sums *sums, const struct run_sums *more);

/* All functions of several runs together. */
struct run_totals {
	uint32_t n;          /* runs with ticks */
	double sum, squares; /* of their ticks */
};

/* Of the first nruns runs. Linear in these. */
struct run_totals run_sums_totals(const struct run_sums *sums, uint32_t nruns);

/* Which samples of call stacks count, and for which functions. */
struct run_sums_choice {
	const struct symbolized_stacks *symbolized;
	struct bitset credited; /* symbols; samples that end in others do not count */
	bool inclusive;         /* a sample counts for each function on its stack, not for the
				   innermost alone */
	struct clock clock;     /* the kinds of samples */
	double per_wait; /* ticks for one of clock.waiting, which is added to the times; or 0 */
	const uint32_t *run_of; /* the run of each recorded thread; RUN_NONE: it does not count */
};

#define RUN_NONE UINT32_MAX

/* Adds all runs, in their order, from call stacks. n log n in samples, linear in their frames. */
void run_sums_add_stacks(struct run_sums *sums, const struct run_sums_choice *choice);

#endif
