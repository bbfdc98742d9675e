/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the contents of the first screen. */
#ifndef ANALYSIS_TOP_H
#define ANALYSIS_TOP_H

#include "model/analysis.h"
#include "model/line_costs.h"
#include "model/top.h"

/*
 * Returns, in mem, the `most` functions with the most self time, without lines, and totals;
 * and, if a->tree was made, the heaviest paths. n log n in functions with samples; linear in arcs
 * of those in rows, and in nodes of the tree.
 */
struct top top_make(const struct analysis *a, uint32_t most, struct arena *mem);

/* Replaces the rows by a copy, in mem, with the line that has the most of each function's samples,
 * if top_frames_has_line(). n log n in the addresses of these functions. */
void top_add_lines(struct top *top, const struct analysis *a, const struct line_costs *costs,
		   struct arena *mem);

#endif
