/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the ranks of a program differ. Ranks are its data files, as MPI calls them, or their threads.
 */
#ifndef MODEL_RANKS_H
#define MODEL_RANKS_H

#include "model/symtab.h"

enum ranks_order { RANKS_BY_IMBALANCE, RANKS_BY_TOTAL, RANKS_BY_MAX, RANKS_BY_NAME };

/* What the user has asked for. */
struct ranks_request {
	enum ranks_order order;
	const char *pattern; /* pattern of the data files' names, as in libgmon's file=PATTERN; or
				NULL */
	bool calls;          /* show calls of functions as well */
	bool threads;        /* compare threads, not data files */
	bool inclusive;      /* compare time including that of callees */
	bool outliers;       /* list ranks instead of functions */
	bool all;            /* list functions with little time in all ranks as well */
};

/* A data file or a thread. */
struct rank {
	const char *label;
	const char *host; /* NULL: not known */
	double ticks;
};

/* A function with its ticks in all ranks. A rank that never executed it counts as 0 ticks. */
struct ranks_row {
	sym_id symbol; /* SYM_NONE: ticks in no function */
	double total, mean, min, max;
	double deviation; /* standard deviation of the ranks' ticks */
	double imbalance; /* percent: 0 if all ranks have the same ticks, 100 if one rank has all */
	uint32_t most;    /* the first rank with the most ticks */
	uint32_t least;   /* the first rank with the fewest ticks; set only if times are exact */
	bool uneven; /* ranks differ more than sampling explains; set only if times are not exact */
	uint64_t calls, min_calls, max_calls;
	uint32_t most_calls;
};

/* Ticks and calls of a function in one rank, which are not both 0. */
struct ranks_cell {
	uint32_t row, rank;
	double ticks;
	uint64_t calls;
};

/* A function in which an outlier differs. */
struct ranks_deviation {
	uint32_t row;
	double distance; /* from the median, in deviations (outliers.h); negative if less than the
			    median */
	double ticks;    /* ticks more or less than the median */
};

enum { RANKS_OUTLIERS = 10, RANKS_DEVIATIONS = 3 };

struct ranks_outlier {
	uint32_t rank, ndeviations;
	double distance; /* sum of the squares of the distances of all functions */
	struct ranks_deviation deviation[RANKS_DEVIATIONS]; /* the largest distances first */
};

/*
 * Ranks are in the order of their data files. All times are ticks of the sampling rate of the first
 * file.
 */
struct ranks {
	bool threads, inclusive, has_calls;
	bool exact; /* ticks are not samples, but time measured by a clock, or counted events */
	bool has_waiting; /* times are CPU time and waiting together, and `exact` is set */
	uint32_t n;       /* at least 2 */
	const struct rank *rank;
	double total, mean;   /* ticks of all ranks, and mean ticks of a rank */
	uint32_t least, most; /* the ranks with the least and the most ticks */
	uint32_t nrows;
	uint32_t nsmall; /* functions without a row, because they have little time in all ranks */
	const struct ranks_row *row;
	double per_sample;    /* ticks that have as much information as one sample */
	bool per_sample_told; /* per_sample was recorded; if false, it was guessed from the bins, or
				 is 1 */
	/* Cells, if they were asked for; else NULL: */
	const struct ranks_cell *cell; /* sorted by row, then by rank */
	const uint32_t *of_row;        /* cells of row i: [of_row[i], of_row[i + 1]) */
	const struct ranks_outlier *outlier;
	uint32_t noutliers;
};

/* Returns the ticks by which the longest rank exceeds the mean. */
static inline double ranks_excess(const struct ranks_row *row)
{
	return row->max - row->mean;
}

#endif
