/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs from samples and numbers of calls: GNU gprof's estimate. */
#ifndef ANALYSIS_COSTS_ESTIMATE_H
#define ANALYSIS_COSTS_ESTIMATE_H

#include "base/progress.h"
#include "model/analysis.h"

/*
 * Returns, in mem, the *n counted arcs between symbols and those of call sites; graph_build() joins
 * repeated ones. With `inlined`, calls from inlined code are calls by the inlined function. Linear.
 */
struct arc *costs_estimate_arcs(const struct analysis *a, const struct inlined *inlined, size_t *n,
				struct arena *mem);

/*
 * Fills in graph, cycles and costs of an analysis that has its program, profile and selection, in
 * mem. A function's time is divided among its callers by their calls of it. The order of the
 * floating-point operations is part of the result: printed digits depend on it. Linear in bins,
 * symbols and arcs.
 */
void costs_estimate(struct analysis *a, struct progress *progress, struct arena *mem);

#endif
