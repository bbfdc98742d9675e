/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins the trees of call paths of both sides into one tree. */
#ifndef ANALYSIS_DIFF_JOIN_H
#define ANALYSIS_DIFF_JOIN_H

#include "analysis/diff/compare.h"
#include "model/joint.h"

/*
 * Paths become one path if their functions are matched, one by one. Marks the nodes whose totals
 * differ by more than chance explains; tested are all nodes with `least` samples on one side. The
 * result lives in mem. n log n in nodes, plus a test for each.
 */
struct joint join_stacks(const struct stacks *const stacks[SIDES],
			 const struct difference_match *match, const struct difference *d,
			 uint64_t least, struct arena *mem);

#endif
