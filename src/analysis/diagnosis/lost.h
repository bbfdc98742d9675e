/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that must have been made, but were not recorded. */
#ifndef ANALYSIS_DIAGNOSIS_LOST_H
#define ANALYSIS_DIAGNOSIS_LOST_H

#include "analysis/diagnosis/suspects.h"

/* Adds the function of which most calls are missing, as far as that is certain. n log n in arcs. */
void lost_calls(struct suspects *s);

#endif
