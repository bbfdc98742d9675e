/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the costs of source lines with those of the functions that were inlined there. */
#ifndef ANALYSIS_LINES_LINE_WHOLES_H
#define ANALYSIS_LINES_LINE_WHOLES_H

#include "model/integer_costs.h"
#include "model/line_costs.h"
#include "model/program.h"
#include "model/trees.h"

/*
 * Returns, in mem, the costs of all lines that have any. `trees` are those from which `costs` were
 * made; NULL: there are no stacks, and no inclusive times. A sample counts once for each line on
 * its stack. Linear in the addresses and the nodes of stacks and the calls that were inlined there,
 * and n log n in lines.
 */
struct line_wholes line_wholes_make(const struct line_costs *costs, const struct call_trees *trees,
				    const struct integer_costs *integer_costs,
				    const struct program *program, struct arena *mem);

#endif
