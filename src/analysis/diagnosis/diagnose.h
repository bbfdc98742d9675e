/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out what is wrong with a program and its data files. */
#ifndef ANALYSIS_DIAGNOSIS_DIAGNOSE_H
#define ANALYSIS_DIAGNOSIS_DIAGNOSE_H

#include "analysis/diagnosis/diagnosis_options.h"
#include "model/analysis.h"
#include "model/evidence.h"
#include "model/finding.h"

/*
 * Returns the findings, in mem; they refer to the analysis and the evidence. The analysis may lack
 * symbols or data files; then the evidence says which of them. n log n in functions, arcs and bins,
 * plus the cost of cycle_arcs_closing().
 */
struct findings diagnose(const struct analysis *a, const struct evidence *e,
			 const struct diagnosis_options *opt, struct arena *mem);

#endif
