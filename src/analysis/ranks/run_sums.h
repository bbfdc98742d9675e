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

/* Sums of a function, or of several functions together. */
struct run_sum {
	/* Of the current run; all 0 between runs: */
	double ticks_now;
	uint64_t calls_now;
	bool touched; /* it is in run_sums.touched */
	/* Of all runs that have ended: */
	double total, squares;  /* sums of ticks and of their squares */
	double products;        /* sum of ticks times all ticks of their run */
	double min, max;        /* of the runs that have any ticks */
	uint32_t n;             /* number of runs that have any ticks */
	uint32_t least, most;   /* numbers of the first runs that have `min`, and `max` */
	uint32_t first_without; /* number of the first run without ticks, if runs end in the order
				   of their numbers */
	uint64_t calls, min_calls, max_calls; /* as above, of calls */
	uint32_t ncalls, most_calls;
};

struct run_sums {
	uint32_t n;          /* number of sums; sum[n] has ticks in no function */
	struct run_sum *sum; /* n + 1 entries */
	/* for each symbol its index in `sum`; NULL: the symbol's own number */
	const uint32_t *sums;
	double *total;    /* total ticks of each run; owned by the caller */
	double scaled_to; /* each run's ticks, except in `total`, are scaled to this sum; 0: they
			     are not scaled */
	double now;       /* total ticks of the current run */
	ARRAY(uint32_t) touched;     /* indices in `sum` to which the current run added anything */
	const struct bitset *wanted; /* indices in `sum` whose cells are kept; NULL: none */
	ARRAY(struct ranks_cell) cells; /* `row` is the index in `sum` */
	struct hist like; /* the previous histogram, for its range; of_bin is for histograms of this
			     range */
	uint32_t *of_bin; /* for each bin: 0 not looked up yet; 1 no symbol has all of it; else the
			     symbol that has, plus 2 */
	struct arena *mem; /* used by no other thread */
};

/* Starts sums of n functions, or groups of functions; the caller sets the other members. `total`
 * has an entry for each run, all 0. Allocates in mem; pages that are not used take no memory. */
struct run_sums run_sums_begin(uint32_t n, double *total, struct arena *mem);

/*
 * Adds ticks to the current run's sum of a symbol, but not to its total (`now`). SYM_NONE: the
 * ticks are in no function. Constant time.
 */
void run_sums_add(struct run_sums *sums, sym_id s, double ticks);

/*
 * Adds the ticks of the run's histograms to the current run, for functions of `credited` and for no
 * function; each tick counts as `scale`. Linear in bins. A bin's symbol is looked up only once if
 * the histograms of all runs have the same range.
 */
void run_sums_add_bins(struct run_sums *sums, const struct profile *run,
		       const struct symtab *symtab, struct bitset credited, double scale);

/* Adds calls to the sums of the called functions. n log n in arcs. */
void run_sums_add_arcs(struct run_sums *sums, const struct profile *run,
		       const struct symtab *symtab, const struct selection *sel);

/*
 * Whether the current run has ticks, but none of them in a function, and no calls. Linear in the
 * functions of the run.
 */
bool run_sums_is_foreign(const struct run_sums *sums);

/* Ends the current run and numbers it `run`. Linear in the functions of the run. */
void run_sums_end_run(struct run_sums *sums, uint32_t run);

/*
 * Adds the sums in `more`: of other runs, or of the calls of the same runs. Both have the same
 * `total`. Linear in functions and cells.
 */
void run_sums_join(struct run_sums *sums, const struct run_sums *more);

/* Totals of several runs, over all functions. */
struct run_totals {
	uint32_t n;          /* number of runs with ticks */
	double sum, squares; /* sums of the runs' ticks and of their squares */
};

/* Totals of runs 0 to nruns - 1. Linear in these. */
struct run_totals run_sums_totals(const struct run_sums *sums, uint32_t nruns);

/* Which samples of call stacks count, and for which functions. */
struct run_sums_choice {
	const struct symbolized_stacks *symbolized;
	/* symbols; only samples whose innermost function is one of them count */
	struct bitset credited;
	bool inclusive;     /* a sample counts for each function on its stack, not only for the
			       innermost */
	struct clock clock; /* which kinds of samples count */
	double per_wait;    /* ticks of CPU time that a tick of clock.waiting counts as; 0: waiting
			       does not count */
	const uint32_t *run_of; /* number of the run of each recorded thread; RUN_NONE: the thread
				   does not count */
};

#define RUN_NONE UINT32_MAX

/*
 * Adds all runs, in their order, from the samples of call stacks. n log n in samples, linear in
 * their frames.
 */
void run_sums_add_stacks(struct run_sums *sums, const struct run_sums_choice *choice);

#endif
