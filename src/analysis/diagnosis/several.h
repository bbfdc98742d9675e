/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts what is known of calls and ticks in libraries. Some can only be attributed to one of
 * several libraries.
 */
#ifndef ANALYSIS_DIAGNOSIS_SEVERAL_H
#define ANALYSIS_DIAGNOSIS_SEVERAL_H

#include "model/finding.h"
#include "model/recorded.h"

/* Returns these facts, for --explain. Linear in arcs and bins. */
struct object_facts several_facts(const struct recorded *rec);

#endif
