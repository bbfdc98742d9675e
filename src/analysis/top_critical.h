/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions with most of the critical path. */
#ifndef ANALYSIS_TOP_CRITICAL_H
#define ANALYSIS_TOP_CRITICAL_H

#include "analysis/stacks/call_tree.h"
#include "model/analysis.h"
#include "model/top.h"

/*
 * Sets top->critical if the critical path was recorded beside waiting, to the TOP_CRITICAL
 * functions with most of it. Time in libraries belongs to the nearest function of the user's own
 * code above them; waiting at the end of the path belongs to its system call. Linear in nodes, n
 * log n in symbols.
 */
void top_critical_find(struct top *top, const struct analysis *a,
		       const struct stacks_choice *choice, struct arena *mem);

#endif
