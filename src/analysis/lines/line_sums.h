/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the costs of addresses by source line. */
#ifndef ANALYSIS_LINES_LINE_SUMS_H
#define ANALYSIS_LINES_LINE_SUMS_H

#include "model/line_costs.h"
#include "model/program.h"

/*
 * Returns, in mem, the costs by file and line; inlined code counts at its own line, code without a
 * known line is left out. `homes` has the location of each symbol of the program, by which lines
 * from included files are attributed to functions; if symbols are lines, `homes` is used instead of
 * frames. Both may be NULL: then no line is an included one. n log n in addresses.
 */
struct line_sums line_sums_make(const struct line_costs *costs, const struct program *program,
				const struct location *homes, struct arena *mem);

/*
 * Returns the line of a function with the most time in whole numbers, and sets *share to its share
 * of the function's time, from 0 to 1; {NULL, 0} and 0 if no line is known. n log n in the
 * function's addresses.
 */
struct location line_sums_hottest(const struct line_costs *costs, sym_id function, double *share,
				  const struct arena *mem);

#endif
