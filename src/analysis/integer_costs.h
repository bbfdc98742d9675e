/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of an analysis as whole numbers, for exports. */
#ifndef ANALYSIS_INTEGER_COSTS_H
#define ANALYSIS_INTEGER_COSTS_H

#include "model/analysis.h"
#include "model/integer_costs.h"

/* Returns how many units of time a tick has. */
double integer_costs_per_tick(const struct analysis *a);

/* Returns the costs, in mem. n log n in arcs, linear in nodes. */
struct integer_costs integer_costs_make(const struct analysis *a, struct arena *mem);

#endif
