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
	const struct call_trees *trees; /* that all times are from; NULL: samples are in bins */
	const struct integer_costs *integer_costs; /* to divide; NULL: no whole numbers */
	/* if these are functions of their own: their code has no frames of callers; else NULL */
	const struct inlined *inlined;
	bool all_rows; /* make frames of all rows of the line table */
};

/*
 * Adds to pcs, in no order, the addresses whose lines line_costs_make() needs: the ends of bins
 * with samples, or code on stacks; and call sites. line_costs_want_bins() adds those of bins only.
 * Linear in bins, arcs and addresses on stacks.
 */
void line_costs_want_bins(const struct profile *prof, address_list *pcs, struct arena *mem);
void line_costs_want(const struct line_costs_input *input, address_list *pcs, struct arena *mem);

/*
 * The costs of all samples and calls that the analysis counts, in mem. Frames refer to the strings
 * of `lines`, which has rows of all that was wanted, as far as they are known. A function's whole
 * numbers are divided among its addresses by ticks, a bin among lines by bytes, as in the flat
 * profile by line, and an arc's time among its call sites by calls. With stacks, addresses and call
 * sites have what was measured there. n log n in bins with samples, their lines, and arcs, or in
 * nodes of stacks; linear in rows.
 */
struct line_costs line_costs_make(const struct line_costs_input *input,
				  const struct line_table *lines, struct arena *mem);

#endif
