/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that make one cycle of many functions. */
#ifndef ANALYSIS_DIAGNOSIS_CLOSERS_H
#define ANALYSIS_DIAGNOSIS_CLOSERS_H

#include "analysis/diagnosis/suspects.h"

/*
 * Adds the cycle that has most of the time, if it has more than a tenth, and if it is of many
 * functions, the arcs that close it: taken one
 * after the other, the heaviest first, they are those that lead back over the ones before. Members
 * times arcs, which are at most 4096; of a cycle with more, none is named.
 */
void closers_of_cycle(struct suspects *s);

#endif
