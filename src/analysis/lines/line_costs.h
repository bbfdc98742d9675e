/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From samples and calls to addresses in functions, with their source lines. */
#ifndef ANALYSIS_LINES_LINE_COSTS_H
#define ANALYSIS_LINES_LINE_COSTS_H

#include "analysis/lines/line_slices.h"
#include "model/analysis.h"
#include "model/integer_costs.h"
#include "model/line_costs.h"
#include "model/trees.h"

/* What samples and calls were recorded, and what is known of them. */
struct line_costs_input {
	const struct analysis *analysis;
	const struct integer_costs *integer_costs;
	const struct call_trees *trees; /* that all times are from; NULL: samples are in bins */
};

/*
 * Adds to pcs, in no order, addresses whose lines line_costs_make() wants: the ends of bins with
 * samples, or code on stacks, and call sites; the first, those of bins alone. Linear in bins, arcs
 * and addresses.
 */
void line_costs_want_bins(const struct profile *prof, address_list *pcs, struct arena *mem);
void line_costs_want(const struct line_costs_input *input, address_list *pcs, struct arena *mem);

/*
 * The places of all samples and calls that the analysis counts, in mem; frames refer to the strings
 * of `lines`, which has rows of all that was wanted, as far as they are known. A function's time is
 * divided among its bins by their samples, a bin among lines by bytes, as the flat profile by line
 * does; an arc's time among its call sites by calls. On stacks, addresses and call sites have what
 * was measured there. n log n in bins with samples, their lines, and arcs, or in nodes of stacks.
 */
struct line_costs line_costs_make(const struct line_costs_input *input,
				  const struct line_table *lines, struct arena *mem);

/*
 * The same by source line, in mem: of all functions, inlined ones at their own lines. Code whose
 * line is not known counts nowhere. n log n.
 */
struct line_sums line_costs_by_line(const struct line_costs *places, struct arena *mem);

#endif
