/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with a program and its data files: evidence and analysis to findings. */
#ifndef ANALYSIS_DIAGNOSIS_DIAGNOSE_H
#define ANALYSIS_DIAGNOSIS_DIAGNOSE_H

#include "analysis/diagnosis/diagnosis_options.h"
#include "model/analysis.h"
#include "model/evidence.h"
#include "model/finding.h"

/*
 * The analysis may be of an image without symbols, and of no data file (then the evidence says that
 * it is missing). The result lives in mem and refers to both. n log n in functions, arcs and bins,
 * but for what closers_of_cycle() adds.
 */
struct findings diagnose(const struct analysis *a, const struct evidence *e,
			 const struct diagnosis_options *opt, struct arena *mem);

#endif
