/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence of an analysis's figures, from the differences between runs. */
#ifndef ANALYSIS_CONFIDENCE_H
#define ANALYSIS_CONFIDENCE_H

#include "analysis/ranks/run_sums.h"
#include "analysis/stacks/call_tree.h"
#include "model/analysis.h"

/*
 * Adds each data file of the analysis to sums, as the run with its index, for the functions that
 * `sel` credits in the flat profile. 0, or -1 if they cannot be read once more.
 */
typedef int confidence_add_files(struct run_sums *sums, const struct selection *sel, void *arg);

struct confidence_input {
	const struct analysis *a;           /* with its ticks; or, in `stacks`, */
	const struct stacks_choice *stacks; /* the call stacks that its times are from */
	confidence_add_files *add_files;    /* called without stacks, with `arg` */
	void *arg;
};

/*
 * Returns, in mem, what intervals of this level, from 50 to 99.9 percent, are made from. n log n in
 * samples and linear in frames of call stacks; else as add_files. Memory is linear in symbols.
 */
struct confidence confidence_make(const struct confidence_input *in, double level,
				  struct arena *mem);

/*
 * Sets per_sample, signals and effective: the information that ticks have. Takes them from what the
 * program recorded for `threads` (NULL: all), or else guesses them from the ticks. Linear in
 * samples and bins.
 */
void confidence_weigh(struct confidence *c, const struct analysis *a, const struct bitset *threads,
		      const struct arena *mem);

#endif
