/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that make a cycle of many functions. */
#ifndef ANALYSIS_DIAGNOSIS_CLOSERS_H
#define ANALYSIS_DIAGNOSIS_CLOSERS_H

#include "analysis/diagnosis/suspects.h"

/*
 * Adds the cycle with the most time, if it has more than a tenth of all. If the cycle has many
 * functions, names the arcs that close it: if arcs are added to an empty graph, the heaviest first,
 * these are the ones that close a cycle with those before. Quadratic: members times arcs; no arc is
 * named if there are more than 4096.
 */
void closers_of_cycle(struct suspects *s);

#endif
