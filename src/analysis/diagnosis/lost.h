/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds calls that must have been made, but were not recorded. */
#ifndef ANALYSIS_DIAGNOSIS_LOST_H
#define ANALYSIS_DIAGNOSIS_LOST_H

#include "analysis/diagnosis/diagnosis.h"

/* Adds a finding on the function with the most missing calls, if calls are certainly missing. */
void lost_calls(struct diagnosis *s);

#endif
