/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence of an analysis's figures, from the differences between runs. */
#ifndef ANALYSIS_CONFIDENCE_H
#define ANALYSIS_CONFIDENCE_H

#include "analysis/ranks/run_sums.h"
#include "analysis/stacks/call_tree.h"
#include "model/analysis.h"

/* The level of confidence, in percent, if the user does not ask for another. */
#define CONFIDENCE_USUAL 95.0

/*
 * Adds the ticks of each run to `sums`, for the functions that `sel` credits in the flat profile:
 * self time, or with `inclusive` that of callees, too. Returns 0, or -1 if the runs cannot be read.
 */
typedef int confidence_add(struct run_sums *sums, const struct selection *sel, bool inclusive,
			   void *arg);

/* The runs whose differences are to be seen. */
struct confidence_runs {
	uint32_t n;
	confidence_add *add; /* called with `arg` */
	void *arg;
	bool has_inclusive;           /* inclusive time can be added up, too */
	const struct bitset *threads; /* the threads whose ticks count; NULL: all */
};

/*
 * Returns, in mem, the data from which intervals of this level, 50 to 99.9 percent, are computed
 * for the costs of an analysis. Takes what runs->add does. Memory is linear in symbols.
 */
struct confidence confidence_make(const struct analysis *a, const struct confidence_runs *runs,
				  double level, struct arena *mem);

/*
 * Adds the processes on recorded stacks: each is a run, even if one data file has several. n log n
 * in samples, linear in frames.
 */
void confidence_add_stacks(struct run_sums *sums, const struct stacks_choice *stacks,
			   const struct selection *sel, bool inclusive);

/*
 * Sets per_sample, signals and effective: how much information ticks have. Takes it from what the
 * program recorded for `threads` (NULL: all), else guesses it from the ticks. Linear in samples and
 * bins.
 */
void confidence_weigh(struct confidence *c, const struct analysis *a, const struct bitset *threads,
		      const struct arena *mem);

/*
 * Returns the confidence of figures that have errors without being asked for: the analysis's own if
 * the user chose a level, else at CONFIDENCE_USUAL, by the ticks of all threads alone. The level is
 * never 0, for exact clocks neither, so ask analysis_is_exact() before errors are shown. Costs as
 * confidence_weigh().
 */
struct confidence confidence_to_show(const struct analysis *a, const struct arena *mem);

#endif
