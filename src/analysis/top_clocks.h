/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions with most of the critical path, and those that hold others up. */
#ifndef ANALYSIS_TOP_CLOCKS_H
#define ANALYSIS_TOP_CLOCKS_H

#include "analysis/stacks/call_tree.h"
#include "model/analysis.h"
#include "model/top.h"

/*
 * Sets top->critical and top->blame, each if it was recorded beside waiting, to the TOP_CLOCK_ROWS
 * functions with most of it. Time in libraries belongs to the nearest function of the user's own
 * code above them; waiting at the end of a path belongs to its system call. Linear in nodes, n log
 * n in symbols.
 */
void top_clocks_find(struct top *top, const struct analysis *a, const struct stacks_choice *choice,
		     struct arena *mem);

#endif
