/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two trees of call paths to one. */
#ifndef ANALYSIS_DIFF_JOIN_H
#define ANALYSIS_DIFF_JOIN_H

#include "analysis/diff/compare.h"
#include "model/joint.h"

/*
 * Paths of functions that are the same one (the match) become one path. Nodes whose totals differ
 * by more than chance explains are marked as functions are, all nodes with `least` samples on a
 * side together. Lives in mem. Expected linear in nodes, but for sorting them and for the tests.
 */
struct joint join_stacks(const struct stacks *const stacks[SIDES],
			 const struct difference_match *match, const struct difference *d,
			 uint64_t least, struct arena *mem);

#endif
