/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence of an analysis's figures, from the differences between runs. */
#ifndef ANALYSIS_CONFIDENCE_H
#define ANALYSIS_CONFIDENCE_H

#include "analysis/ranks/run_sums.h"
#include "analysis/stacks/call_tree.h"
#include "model/analysis.h"

/*
 * Adds the ticks of each data file to `sums`, as the run with the file's index, for the functions
 * that `sel` credits in the flat profile. Returns 0, or -1 if the files cannot be read again.
 */
typedef int confidence_add_files(struct run_sums *sums, const struct selection *sel, void *arg);

struct confidence_input {
	const struct analysis *a;           /* the analysis, with its costs */
	const struct stacks_choice *stacks; /* the call stacks that its times are from; NULL: times
					       are from histograms */
	confidence_add_files *add_files;    /* called with `arg` if `stacks` is NULL */
	void *arg;
};

/*
 * Returns, in mem, the data from which intervals of this level, 50 to 99.9 percent, are computed.
 * With call stacks n log n in samples and linear in frames; else what add_files takes. Memory is
 * linear in symbols.
 */
struct confidence confidence_make(const struct confidence_input *in, double level,
				  struct arena *mem);

/*
 * Sets per_sample, signals and effective: how much information ticks have. Takes it from what the
 * program recorded for `threads` (NULL: all), else guesses it from the ticks. Linear in samples and
 * bins.
 */
void confidence_weigh(struct confidence *c, const struct analysis *a, const struct bitset *threads,
		      const struct arena *mem);

#endif
