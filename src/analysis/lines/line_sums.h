/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the costs of addresses to those of source lines. */
#ifndef ANALYSIS_LINES_LINE_SUMS_H
#define ANALYSIS_LINES_LINE_SUMS_H

#include "model/line_costs.h"
#include "model/program.h"

/*
 * The costs by file and line, in mem, inlined code at lines of its own; code whose line is not
 * known is left out. `homes` has the location of each symbol of the program, by which included
 * lines are found; if symbols are lines, these are used instead of frames. Both may be NULL: then
 * there are no included lines. n log n in addresses.
 */
struct line_sums line_sums_make(const struct line_costs *costs, const struct program *program,
				const struct location *homes, struct arena *mem);

/*
 * The line of a function with most time in whole numbers, and its share of the function's, from 0
 * to 1; {NULL, 0} and 0 if none is known. n log n in its addresses.
 */
struct location line_sums_hottest(const struct line_costs *costs, sym_id function, double *share,
				  const struct arena *mem);

#endif
