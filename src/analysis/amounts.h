/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole numbers in place of the real ones of an analysis, for exports. */
#ifndef ANALYSIS_AMOUNTS_H
#define ANALYSIS_AMOUNTS_H

#include "model/amounts.h"
#include "model/analysis.h"

/* In mem. n log n in arcs, linear in nodes. */
struct amounts amounts_make(const struct analysis *a, struct arena *mem);

#endif
