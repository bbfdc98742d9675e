/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out whether the program did other things at its start or end than in between. */
#ifndef ANALYSIS_WHEN_PHASES_H
#define ANALYSIS_WHEN_PHASES_H

#include "analysis/stacks/call_tree.h"
#include "model/analysis.h"
#include "model/top.h"

/*
 * Sets top->phase to two or three phases in order, which cover the run, if the functions of the
 * user's own code that were on the CPU, or had called what was, differ between them: by a test of
 * the samples at hand, in which chance divides one run in a thousand, and by a fourth of the time.
 * Else, or without slices of the time, there are none. Linear in samples times their depth.
 */
void phases_find(struct top *top, const struct analysis *a, const struct stacks_choice *choice,
		 struct arena *mem);

#endif
