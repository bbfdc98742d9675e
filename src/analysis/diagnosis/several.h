/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of calls and ticks in libraries, and what not: in which of several they were. */
#ifndef ANALYSIS_DIAGNOSIS_SEVERAL_H
#define ANALYSIS_DIAGNOSIS_SEVERAL_H

#include "model/finding.h"
#include "model/recorded.h"

/* Linear in arcs and bins. */
struct object_facts several_facts(const struct recorded *rec);

#endif
