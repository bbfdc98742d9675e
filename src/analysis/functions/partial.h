/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions may have had more calls than were counted: where calls were counted in code. */
#ifndef ANALYSIS_FUNCTIONS_PARTIAL_H
#define ANALYSIS_FUNCTIONS_PARTIAL_H

#include "model/analysis.h"

/*
 * Returns, in mem, the nodes of functions with a struct recorded_part, of those of modules whose
 * calls were not counted, and of cycles with such members. Without bits if calls were not counted
 * in code: then all that is known of them is in the arcs. n log n.
 */
struct bitset partial_find(const struct analysis *a, struct arena *mem);

#endif
