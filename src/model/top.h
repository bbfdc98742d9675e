/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contents of the first screen. */
#ifndef MODEL_TOP_H
#define MODEL_TOP_H

#include "model/program.h"

/* The least columns of a screen; how many functions are listed if the output is no screen. */
enum { TOP_COLUMNS = 20, TOP_USUAL = 10 };

/* A function with samples. Times are ticks. */
struct top_row {
	sym_id function;
	double self;
	double error;         /* half the interval of sampling */
	double inclusive;     /* self and callees: as the flat profile has them */
	uint64_t ncalls;      /* from other functions; 0: not counted */
	struct location line; /* with the most of its samples, which may be in an inlined function;
				 file is NULL if no line is known */
	double line_share;    /* its part of self, 0 to 1 */
	sym_id caller;        /* for which the most of `inclusive` was spent, or SYM_NONE */
	double caller_share;  /* its part of `inclusive`, or without time of the calls, 0 to 1 */
};

/* The functions with the most self time, in the order of the flat profile, and totals. */
struct top {
	const struct top_row *row;
	uint32_t nrows;
	uint32_t nsampled; /* functions with samples, including those without row */
	double level;      /* of intervals, in percent */
	double z;          /* interval_normal(level) */
	double per_sample; /* ticks that have the information of one sample: 1 or more */
	double total;      /* ticks in all */
	double error;      /* the largest error of a share, that of one half: 0 to 1 */
	uint64_t ncalls;   /* all that were recorded */
	uint32_t ncycles;  /* of functions with time; none with call stacks */
	uint32_t cycle;    /* number, from 1, of the cycle with the most time, whose part is
			      cycle_share */
	double cycle_share;

	/* Not set by top_make(): */
	const char *const *wrong; /* sentences on what is wrong, the most important first */
	size_t nwrong;
	const char *written; /* when the newest data file was written, or NULL */
	uint32_t columns;    /* of the screen, at least TOP_COLUMNS */
	uint32_t lines;      /* free lines of the screen, or 0 for no limit */
	uint32_t most;       /* functions that are listed if there is no limit */
};

#endif
