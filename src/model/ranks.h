/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What many data files of a program differ by: its ranks, as programs with MPI call processes. */
#ifndef MODEL_RANKS_H
#define MODEL_RANKS_H

#include "model/symtab.h"

enum ranks_order { RANKS_BY_IMBALANCE, RANKS_BY_TOTAL, RANKS_BY_MAX, RANKS_BY_NAME };

/* What the user asks for. */
struct ranks_request {
	enum ranks_order order;
	const char *pattern; /* of the names of data files, as libgmon's file=PATTERN; or NULL */
	bool calls;          /* of functions, too */
	bool threads;        /* each is a rank */
	bool inclusive;      /* time with that of callees */
	bool outliers;       /* ranks, not functions, are listed */
	bool all;            /* functions without much time in any rank, too */
};

/* A data file or a thread. */
struct rank {
	const char *label;
	const char *host; /* or NULL: not known */
	double ticks;
};

/* A function, by its ticks in all ranks; one that lacks it has 0. */
struct ranks_row {
	sym_id symbol; /* SYM_NONE: ticks in no function */
	double total, mean, min, max;
	double deviation; /* standard, of one rank */
	double imbalance; /* percent: 0 if all have the same, 100 if one has all */
	uint32_t most;    /* the rank with the maximum, the first of several */
	uint32_t least;   /* if times are exact: the one with the minimum, the same */
	bool uneven;      /* more than the noise of sampling explains, if they are not */
	uint64_t calls, min_calls, max_calls;
	uint32_t most_calls;
};

/* What one rank has of a function; at least one is not 0. */
struct ranks_cell {
	uint32_t row, rank;
	double ticks;
	uint64_t calls;
};

/* How a function differs in a rank that differs much. */
struct ranks_deviation {
	uint32_t row;
	double distance; /* from the median, in its deviations; negative: less */
	double ticks;    /* the same as a difference of ticks */
};

enum { RANKS_OUTLIERS = 10, RANKS_DEVIATIONS = 3 };

struct ranks_outlier {
	uint32_t rank, ndeviations;
	double distance; /* sum of the squares of all its functions' distances */
	struct ranks_deviation deviation[RANKS_DEVIATIONS]; /* the largest, in that order */
};

/*
 * The ranks in the order of their data files. All times are ticks of the rate that the first one
 * has. A value that does not change.
 */
struct ranks {
	bool threads, inclusive, has_calls;
	bool exact;       /* ticks are no samples: time by the clock, or events */
	bool has_waiting; /* CPU time and waiting together: exact, too, as far as that is */
	uint32_t n;       /* at least 2 */
	const struct rank *rank;
	double total, mean; /* ticks of all, and of one */
	uint32_t least, most;
	uint32_t nrows, nsmall; /* functions; and those left out, as they are small in all ranks */
	const struct ranks_row *row;
	double per_sample;    /* ticks that tell as much as one sample */
	bool per_sample_told; /* by the data; else it is as their bins show, or 1 */
	/* If they are wanted, else NULL: */
	const struct ranks_cell *cell; /* by row, then rank */
	const uint32_t *of_row; /* those of row i: of_row[i] up to, not with, of_row[i + 1] */
	const struct ranks_outlier *outlier;
	uint32_t noutliers;
};

/* Time that would be saved if all ranks had the mean. */
static inline double ranks_excess(const struct ranks_row *row)
{
	return row->max - row->mean;
}

#endif
