/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attributes samples, stacks and calls to the source lines of some functions. */
#ifndef ANALYSIS_LINES_LISTING_H
#define ANALYSIS_LINES_LISTING_H

#include "analysis/lines/function_lines.h"
#include "model/analysis.h"
#include "model/listing.h"
#include "model/trees.h"

/* What listings are made of. */
struct listing_input {
	const struct analysis *analysis;
	const struct call_trees *trees; /* the stacks from which the costs are, or NULL */
	const struct line_table *lines;
	/* made from `lines`, with frames of all callers */
	const struct line_costs *costs;
	const struct function_lines *functions;
};

/*
 * Makes listings of all functions, in mem. A sample counts for the line of each range's function
 * that contains its code, also by inlining; so the lines of a function add up to its self time,
 * inlined code included. Inclusive times are those of stacks on which the line occurs; calls are
 * those of call sites. n log n in addresses and call sites; linear in nodes of stacks with their
 * inlined functions.
 */
struct listings listing_make(const struct listing_input *input, struct arena *mem);

#endif
