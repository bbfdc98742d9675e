/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what threads waited for, and the lines of functions on the heaviest paths. */
#ifndef ANALYSIS_TOP_WAITS_H
#define ANALYSIS_TOP_WAITS_H

#include "model/analysis.h"
#include "model/line_costs.h"
#include "model/top.h"
#include "model/trees.h"

/*
 * Returns, in mem, the TOP_WAITS heaviest of what threads waited for, by kind, function and line;
 * what is of no function of the user's own code comes last, in place of the last other one if it is
 * heavier.
 * `trees` must have one tree of addresses, of all threads; `costs`, which may be NULL, has the
 * lines of addresses. Expected linear in nodes, n log n in places.
 */
const struct top_wait *top_waits_make(const struct analysis *a, const struct call_trees *trees,
				      const struct line_costs *costs, uint32_t *n,
				      struct arena *mem);

/*
 * Returns a copy of n frames, in mem, with the line of each function that has the most of its
 * inclusive time; functions of the system's libraries get none, though lines of those whose debug
 * information was read for another reason are known. `trees` as above. Expected linear in nodes.
 */
const struct top_frame *top_waits_add_lines(const struct analysis *a,
					    const struct top_frame *frames, uint32_t n,
					    const struct call_trees *trees,
					    const struct line_costs *costs, struct arena *mem);

#endif
