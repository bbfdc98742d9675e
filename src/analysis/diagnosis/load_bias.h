/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks whether the addresses in the data are those of the image. */
#ifndef ANALYSIS_DIAGNOSIS_LOAD_BIAS_H
#define ANALYSIS_DIAGNOSIS_LOAD_BIAS_H

#include "analysis/diagnosis/diagnosis.h"

/*
 * Adds a finding if the data certainly have other addresses than the image, or belong to another
 * program. Returns true if their samples and calls then mean nothing for this program. n log n in
 * functions and callees.
 */
bool load_bias_is_wrong(struct diagnosis *s);

#endif
