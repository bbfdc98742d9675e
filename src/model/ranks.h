/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the ranks of a program differ: its data files, which MPI calls ranks, or their threads. */
#ifndef MODEL_RANKS_H
#define MODEL_RANKS_H

#include "model/symtab.h"

enum ranks_order { RANKS_BY_IMBALANCE, RANKS_BY_TOTAL, RANKS_BY_MAX, RANKS_BY_NAME };

/* What the user has asked for. */
struct ranks_request {
	enum ranks_order order;
	const char *pattern; /* of the names of data files, as in libgmon's file=PATTERN; or NULL */
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

/* A function with its ticks in all ranks. A rank that never ran it counts with 0. */
struct ranks_row {
	sym_id symbol; /* SYM_NONE: ticks in no function */
	double total, mean, min, max;
	double deviation; /* standard deviation of one rank */
	double imbalance; /* percent: 0 if all have the same, 100 if one has all */
	uint32_t most;    /* the first rank with the maximum */
	uint32_t least;   /* the first rank with the minimum; set only if times are exact */
	bool uneven;      /* ranks differ more than sampling explains; set only if not exact */
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
	double distance; /* from the median, in deviations (outliers.h); negative: less */
	double ticks;    /* from the median */
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
	bool exact;       /* ticks are not samples, but time by the clock or counted events */
	bool has_waiting; /* times are CPU time and waiting together, and `exact` is set */
	uint32_t n;       /* at least 2 */
	const struct rank *rank;
	double total, mean;   /* ticks of all, and of one */
	uint32_t least, most; /* the ranks with the least and the most ticks */
	uint32_t nrows;
	uint32_t nsmall; /* functions without a row, because they have little time in all ranks */
	const struct ranks_row *row;
	double per_sample;    /* ticks that have the information of one sample */
	bool per_sample_told; /* per_sample was recorded; else it is guessed from the bins, or 1 */
	/* NULL unless they were asked for: */
	const struct ranks_cell *cell; /* by row, then rank */
	const uint32_t *of_row;        /* cells of row i: [of_row[i], of_row[i + 1]) */
	const struct ranks_outlier *outlier;
	uint32_t noutliers;
};

/* Ticks that the longest rank would save if all ranks had the mean. */
static inline double ranks_excess(const struct ranks_row *row)
{
	return row->max - row->mean;
}

#endif
