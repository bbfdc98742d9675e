/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What data files of several runs differ by. */
#ifndef ANALYSIS_CONFIDENCE_H
#define ANALYSIS_CONFIDENCE_H

#include "analysis/stacks/call_tree.h"
#include "model/analysis.h"

/*
 * What the intervals of an analysis are made of, in mem, of which all else is done; `stacks` as its
 * input has them. level is from 50 to 99.9. n log n in what each file has bins with samples, or in
 * frames of the stacks of all samples; memory is linear in symbols.
 */
struct confidence confidence_make(const struct analysis *a, const struct stacks_choice *stacks,
				  double level, struct arena *mem);

/*
 * Sets the weights of samples, per_sample, signals and effective: as the program recorded them of
 * the threads, NULL being all; else as ticks show, which is a guess. Linear in samples and bins.
 */
void confidence_weigh(struct confidence *c, const struct analysis *a, const struct bitset *threads,
		      const struct arena *mem);

#endif
