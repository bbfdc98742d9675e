/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that must have been made, but were not recorded. */
#ifndef ANALYSIS_DIAGNOSIS_LOST_H
#define ANALYSIS_DIAGNOSIS_LOST_H

#include "analysis/diagnosis/suspects.h"

/* Adds the function with the most missing calls, if some are certainly missing. n log n in arcs. */
void lost_calls(struct suspects *s);

#endif
