/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides samples and calls among addresses in functions, with their source lines. */
#ifndef ANALYSIS_LINES_LINE_COSTS_H
#define ANALYSIS_LINES_LINE_COSTS_H

#include "analysis/lines/line_slices.h"
#include "model/analysis.h"
#include "model/integer_costs.h"
#include "model/line_costs.h"
#include "model/trees.h"

/* The recorded samples and calls, and what is known about their code. */
struct line_costs_input {
	const struct analysis *analysis;
	/* the stacks from which all times are; NULL: samples are in bins */
	const struct call_trees *trees;
	/* whole numbers to be divided; NULL: none are wanted */
	const struct integer_costs *integer_costs;
	/* Not NULL: inlined functions have symbols, so that code has no frames of callers. */
	const struct inlined *inlined;
};

/*
 * Both add addresses to pcs, in no order, whose lines line_costs_make() needs: line_costs_want()
 * the ends of bins with samples, or the code on stacks, and call sites; line_costs_want_bins() only
 * those of bins. Linear in bins, arcs and addresses on stacks.
 */
void line_costs_want_bins(const struct profile *prof, address_list *pcs, struct arena *mem);
void line_costs_want(const struct line_costs_input *input, address_list *pcs, struct arena *mem);

/*
 * Returns, in mem, the costs of all samples and calls that the analysis counts. Frames refer to
 * strings of `lines`, which has the known rows of all addresses that were wanted. A function's
 * whole numbers are divided among its addresses by ticks, a bin among lines by bytes, as in the
 * flat profile by line, and an arc's time among its call sites by calls. With stacks, addresses and
 * call sites get the measured times. n log n in bins with samples, their lines, and arcs, or in
 * nodes of stacks; linear in rows.
 */
struct line_costs line_costs_make(const struct line_costs_input *input,
				  const struct line_table *lines, struct arena *mem);

#endif
