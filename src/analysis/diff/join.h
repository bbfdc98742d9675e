/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One tree of call paths from those of both sides. */
#ifndef ANALYSIS_DIFF_JOIN_H
#define ANALYSIS_DIFF_JOIN_H

#include "analysis/diff/compare.h"
#include "model/joint.h"

/*
 * Paths whose functions are matched become one path. Nodes whose totals differ by more than chance
 * explains are marked, as functions are, by a test of all nodes with `least` samples on a side. The
 * result lives in mem. n log n in nodes, and a test for each.
 */
struct joint join_stacks(const struct stacks *const stacks[SIDES],
			 const struct difference_match *match, const struct difference *d,
			 uint64_t least, struct arena *mem);

#endif
