/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much is known of calls and ticks in libraries: some are in one of several libraries. */
#ifndef ANALYSIS_DIAGNOSIS_SEVERAL_H
#define ANALYSIS_DIAGNOSIS_SEVERAL_H

#include "model/finding.h"
#include "model/recorded.h"

/* The facts for the report. Linear in arcs and bins. */
struct object_facts several_facts(const struct recorded *rec);

#endif
