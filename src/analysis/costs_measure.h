/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs measured from call stacks. */
#ifndef ANALYSIS_COSTS_MEASURE_H
#define ANALYSIS_COSTS_MEASURE_H

#include "analysis/functions/resolve.h"
#include "analysis/stacks/call_tree.h"
#include "base/progress.h"
#include "model/analysis.h"

/*
 * Fills in graph, cycles (none), costs, tree and processes of an analysis that has its program,
 * profile and selection, in mem. The graph has, besides the counted arcs, one for each pair of
 * functions that were caller and callee on a stack. Stacks that end in the profiler's own
 * functions, or in functions which these call, do not count. Linear in nodes, samples and symbols,
 * n log n in arcs.
 */
void costs_measure(struct analysis *a, const struct stacks_choice *choice,
		   struct progress *progress, struct arena *mem);

/*
 * Returns, in mem, the ticks of the chosen stacks by the functions in which they end; 0 for
 * functions that the flat profile leaves out. Linear in nodes and samples.
 */
struct ticks costs_measure_self(const struct stacks_choice *choice, const struct selection *sel,
				struct arena *mem);

#endif
