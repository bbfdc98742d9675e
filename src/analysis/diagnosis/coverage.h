/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which time and which calls the reports can show. */
#ifndef ANALYSIS_DIAGNOSIS_COVERAGE_H
#define ANALYSIS_DIAGNOSIS_COVERAGE_H

#include "analysis/diagnosis/suspects.h"

/* Adds why there are few samples, or none. */
void coverage_time(struct suspects *s);

/* Adds which samples and calls no function gets, and which functions count no calls. */
void coverage_instrumentation(struct suspects *s);

/* Adds which functions appear under another name, or share one. n log n in functions. */
void coverage_names(struct suspects *s);

#endif
