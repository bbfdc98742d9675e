/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From samples and calls to addresses in functions, with their source lines. */
#ifndef ANALYSIS_PLACES_H
#define ANALYSIS_PLACES_H

#include "analysis/pieces.h"
#include "model/amounts.h"
#include "model/analysis.h"
#include "model/places.h"
#include "model/trees.h"

/* What samples and calls were recorded, and what is known of them. */
struct places_input {
	const struct analysis *analysis;
	const struct amounts *amounts;
	const struct call_trees *trees; /* that all times are from; NULL: samples are in bins */
};

/*
 * Adds to pcs, in no order, addresses whose lines places_make() wants: the ends of bins with
 * samples, or code on stacks, and call sites; the first, those of bins alone. Linear in bins, arcs
 * and spots.
 */
void places_want_bins(const struct profile *prof, place_addresses *pcs, struct arena *mem);
void places_want(const struct places_input *input, place_addresses *pcs, struct arena *mem);

/*
 * The places of all samples and calls that the analysis counts, in mem; frames refer to the strings
 * of `lines`, which has rows of all that was wanted, as far as they are known. A function's time is
 * divided among its bins by their samples, a bin among lines by bytes, as the flat profile by line
 * does; an arc's time among its call sites by calls. On stacks, addresses and call sites have what
 * was measured there. n log n in bins with samples, their lines, and arcs, or in nodes of stacks.
 */
struct places places_make(const struct places_input *input, const struct line_table *lines,
			  struct arena *mem);

/*
 * The same by source line, in mem: of all functions, inlined ones at their own lines. Code whose
 * line is not known counts nowhere. n log n.
 */
struct line_costs places_by_line(const struct places *places, struct arena *mem);

#endif
