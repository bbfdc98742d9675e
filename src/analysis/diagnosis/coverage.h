/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which time and which calls the reports cannot show, and why. */
#ifndef ANALYSIS_DIAGNOSIS_COVERAGE_H
#define ANALYSIS_DIAGNOSIS_COVERAGE_H

#include "analysis/diagnosis/diagnosis.h"

/* Adds findings on why there are few samples, or none. */
void coverage_time(struct diagnosis *s);

/* Adds findings on samples and calls in no function, and on functions that do not count calls. */
void coverage_instrumentation(struct diagnosis *s);

/* Adds findings on functions that appear under another name, or share one. n log n in functions. */
void coverage_names(struct diagnosis *s);

/* Returns how many ticks there are, with those in libraries and those without a sample, as far as
 * the data files have them. Linear in recorded samples. */
uint64_t coverage_all(const struct diagnosis *s);

#endif
