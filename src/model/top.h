/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contents of the first screen. */
#ifndef MODEL_TOP_H
#define MODEL_TOP_H

#include "model/program.h"

/* The fewest columns of a screen, and how many functions are listed if the output is no screen. */
enum { TOP_COLUMNS = 20, TOP_USUAL = 10 };

/* A function with samples. Times are ticks. */
struct top_row {
	sym_id function;
	double self;
	double error;         /* half the width of the confidence interval of `self` */
	double inclusive;     /* self time and time of callees, as in the flat profile */
	uint64_t ncalls;      /* calls by other functions; 0: not counted */
	struct location line; /* the line with the most of the function's samples, which may be in
				 an inlined function; file is NULL if no line is known */
	double line_share;    /* that line's share of `self`, 0 to 1 */
	sym_id caller; /* the caller with the most of the function's inclusive time, or SYM_NONE */
	double caller_share; /* that caller's share of `inclusive` or, without time, of the calls: 0
				to 1 */
};

/* The functions with the most self time, in the order of the flat profile, and totals. */
struct top {
	const struct top_row *row;
	uint32_t nrows;
	uint32_t nsampled; /* functions with samples, including those without row */
	double level;      /* confidence level in percent */
	double z;          /* interval_normal(level) */
	double per_sample; /* ticks that have as much information as one sample: 1 or more */
	double total;      /* ticks of all functions */
	double error;      /* the largest error of a share, which a share of one half has: 0 to 1 */
	uint64_t ncalls;   /* all that were recorded */
	uint32_t ncycles;  /* number of cycles of functions with time; 0 with call stacks */
	uint32_t cycle; /* number, from 1, of the cycle with the most time; cycle_share is its share
			   of all time */
	double cycle_share;

	/* top_make() does not set these: */
	const char *const *wrong; /* sentences on what is wrong, the most important first */
	size_t nwrong;
	const char *written; /* when the newest data file was written, or NULL */
	uint32_t columns;    /* columns of the screen, at least TOP_COLUMNS */
	uint32_t lines;      /* lines of the screen that are free; 0: no limit */
	uint32_t most;       /* number of functions that are listed if there is no limit */
};

#endif
