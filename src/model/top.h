/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What there is to say about a profile on one screen. */
#ifndef MODEL_TOP_H
#define MODEL_TOP_H

#include "model/program.h"

/* What is narrower is taken to be so wide; and functions where the output has no end. */
enum { TOP_COLUMNS = 20, TOP_USUAL = 10 };

/* A function with samples. Times are ticks. */
struct top_row {
	sym_id function;
	double self;
	double error;         /* half the interval of sampling */
	double inclusive;     /* self and callees: as the flat profile has them */
	uint64_t ncalls;      /* from other functions; 0: not counted */
	struct location line; /* with the most of its samples, wherever that was inlined from; file
				 is NULL if no line is known, */
	double line_share;    /* and how much of self that is, 0 to 1 */
	sym_id caller;        /* for which the most of inclusive was spent, or SYM_NONE, */
	double caller_share;  /* and how much of it, or without time of the calls, 0 to 1 */
};

/* Those with the most self time, as the flat profile has them in order, and what is said of all. */
struct top {
	const struct top_row *row;
	uint32_t nrows;
	uint32_t nsampled; /* functions with samples, those in no row included */
	double level;      /* of intervals, in percent, */
	double z;          /* and as interval_normal() has it */
	double per_sample; /* ticks that tell as much as one sample: 1 or more */
	double total;      /* ticks in all, */
	double error;      /* and the error of half of them, which no share exceeds: 0 to 1 */
	uint64_t ncalls;   /* as recorded, wherever from and to */
	uint32_t ncycles;  /* of functions with time; none with call stacks */
	uint32_t cycle;    /* the one, from 1, with the most time, and the share of that */
	double cycle_share;

	/* From elsewhere: */
	const char *const *wrong; /* sentences on what is wrong, the most important first */
	size_t nwrong;
	const char *written; /* when the newest data file was written, or NULL */
	uint32_t columns;    /* of the screen, at least TOP_COLUMNS, */
	uint32_t lines;      /* and how many are free, or 0 for no limit */
	uint32_t most;       /* functions to be listed if there is no limit */
};

#endif
