/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the addresses in the data are the image's. */
#ifndef ANALYSIS_DIAGNOSIS_LOAD_BIAS_H
#define ANALYSIS_DIAGNOSIS_LOAD_BIAS_H

#include "analysis/diagnosis/suspects.h"

/*
 * Adds what is certain about data of other addresses, or of another program. True if their samples
 * and calls mean nothing for this one. n log n in functions and callees.
 */
bool load_bias_is_wrong(struct suspects *s);

#endif
