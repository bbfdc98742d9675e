/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole numbers in place of the real ones of an analysis, for exports. */
#ifndef ANALYSIS_AMOUNTS_H
#define ANALYSIS_AMOUNTS_H

#include "model/amounts.h"
#include "model/analysis.h"

/* Units of time in a tick. */
double amounts_per_tick(const struct analysis *a);

/*
 * In mem. Unless `times` is NULL, inclusive times and those of arcs are these, of the stacks that
 * the analysis is of. n log n in arcs, linear in nodes.
 */
struct amounts amounts_make(const struct analysis *a, const struct measured *times,
			    struct arena *mem);

#endif
