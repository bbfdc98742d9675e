/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the calls that make a cycle of many functions. */
#ifndef ANALYSIS_DIAGNOSIS_CYCLE_ARCS_H
#define ANALYSIS_DIAGNOSIS_CYCLE_ARCS_H

#include "analysis/diagnosis/diagnosis.h"

/*
 * Adds a finding on the cycle with the most time, if that is more than a tenth of all time. If the
 * cycle has many functions, the finding names arcs that close it: when the cycle's arcs are added
 * to an empty graph, those with the most time first, these are the arcs that close a cycle with the
 * arcs before. Takes members times arcs; with more than 4096 arcs none is named.
 */
void cycle_arcs_closing(struct diagnosis *s);

#endif
