/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contents of the first screen. */
#ifndef MODEL_TOP_H
#define MODEL_TOP_H

#include "model/program.h"

/* The fewest columns of a screen, and how many functions are listed if the output is no screen. */
enum { TOP_COLUMNS = 20, TOP_USUAL = 10 };

/* The most frames, waits, functions of the critical path, and callers of a function. */
enum { TOP_FRAMES = 6, TOP_WAITS = 5, TOP_CLOCK_ROWS = 4, TOP_CALLERS = 2 };

/* A function with samples. Times are ticks. */
struct top_row {
	sym_id function;
	double self;
	double error;         /* half the width of the confidence interval of `self`; of waiting,
				 what chance may have put into other functions */
	double inclusive;     /* self time and time of callees, as in the flat profile */
	uint64_t ncalls;      /* calls by other functions; 0: not counted */
	struct location line; /* the line with the most of the function's samples, which may be in
				 an inlined function; file is NULL if no line is known */
	double line_share;    /* that line's share of `self`, 0 to 1 */
	sym_id caller; /* the caller with the most of the function's inclusive time, or SYM_NONE */
	double caller_share; /* that caller's share of `inclusive` or, without time, of the calls: 0
				to 1 */
	/*
	 * With call stacks: the nearest functions of the user's own code above this one, the nearer
	 * one first, or the nearest function with a name; and the share of `self` with the first.
	 * SYM_NONE: there is none.
	 */
	sym_id own_caller[TOP_CALLERS];
	double own_share;
};

/* A function on the heaviest paths of calls; functions between these are left out. */
struct top_frame {
	sym_id function;
	uint32_t depth;       /* how many of the frames before it are above it */
	double ticks;         /* of stacks with this path, waiting aside */
	struct location line; /* the function's line with most of its inclusive time, or NULL */
};

/* What threads waited for. */
struct top_wait {
	const char *kind;     /* "lock", "sleep", ..., or the name of a system call */
	sym_id function;      /* the nearest function of the user's own code; SYM_NONE: none */
	struct location line; /* where that one waited; file is NULL if no line is known */
	double share;         /* of all waiting: 0 to 1 */
};

/* A function's time of another clock than the one that is shown, or that of a system call. */
struct top_clock_row {
	sym_id function;
	/* Who called it where it has the most of that time: the nearest functions of the user's own
	 * code, the nearest first; SYM_NONE: no more. */
	sym_id caller[TOP_CALLERS];
	double share; /* of all time of that clock: 0 to 1 */
};

/* The functions with most of a clock's time. */
struct top_clock {
	const struct top_clock_row *row; /* the most first */
	uint32_t nrows;                  /* 0: there is none, or other times are shown */
	uint64_t total;                  /* ticks of all functions, in the unit of waiting */
};

enum { TOP_PHASES = 3 };

/* A part of the run in which the program did other things than before and after it. */
struct top_phase {
	double from, to; /* seconds since the start of the run */
	sym_id function; /* what it did then, more than at other times */
	double share;    /* of the time of that phase, that function and its callees: 0 to 1 */
};

/* The functions with the most self time, in the order of the flat profile, and totals. */
struct top {
	const struct top_row *row;
	uint32_t nrows;
	uint32_t nsampled;    /* functions with samples, including those without row */
	double level;         /* confidence level in percent */
	double z;             /* interval_normal(level) */
	double per_sample;    /* ticks that have as much information as one sample: 1 or more */
	double total;         /* ticks of all functions */
	bool has_wait_errors; /* the ticks are waiting, whose errors are in `row` */
	double error;     /* the largest error of a share, which a share of one half has: 0 to 1 */
	uint64_t ncalls;  /* all that were recorded */
	uint32_t ncycles; /* number of cycles of functions with time; 0 with call stacks */
	uint32_t cycle; /* number, from 1, of the cycle with the most time; cycle_share is its share
			   of all time */
	double cycle_share;
	const struct top_frame *frame; /* an outer frame before those below it */
	uint32_t nframes;
	const struct top_wait *wait; /* the most first */
	uint32_t nwaits;
	struct top_clock critical; /* the critical path, if more than one thread ran */
	struct top_clock blame;    /* what others waited for locks */
	bool is_cpu;               /* times are CPU time */
	bool waits_lead;           /* threads waited for longer than they were on the CPU */

	/* top_make() does not set these: */
	const struct top_phase *phase; /* in order */
	uint32_t nphases;              /* 0: the same all the time, or not known */
	const char *const *wrong;      /* sentences on what is wrong, the most important first */
	size_t nwrong;
	double elapsed_s; /* seconds between the first process's start and the last one's end; 0:
			     not known */
	double off_cpu;   /* the part of this time that the program was neither on the CPU nor ready
			     for it, if that is most of it and is not recorded; else 0 */
	uint32_t nthreads, nprocesses;
	const char *program; /* its path, after the name of a link by which it was called */
	const char *ending;  /* how the first process ended, if not well: "killed by SIGSEGV" */
	const char *killed;  /* which others were killed: "crash was killed", or NULL */
	const char *next;    /* what to type next, or NULL; `next_short` leaves the program out */
	const char *next_short;
	const char *more;      /* what takes more samples, or NULL */
	const char *uncounted; /* a library with most of the time, if calls were counted in the
				  program's code alone; or NULL */
	const char *written;   /* when the newest data file was written, or NULL */
	uint32_t columns;      /* columns of the screen, at least TOP_COLUMNS */
	uint32_t lines;        /* lines of the screen that are free; 0: no limit */
	uint32_t most;         /* number of functions that are listed if there is no limit */
};

#endif
