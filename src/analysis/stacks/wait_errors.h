/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the waiting of functions may be off, because looks decide on a part of it by chance. */
#ifndef ANALYSIS_STACKS_WAIT_ERRORS_H
#define ANALYSIS_STACKS_WAIT_ERRORS_H

#include "analysis/stacks/call_tree.h"
#include "model/costs.h"

/*
 * Returns, in mem, the standard deviations of each symbol's waiting on the stacks that are shown;
 * NULL in both: not known, as some recording that waited has no squares.
 *
 * Each thread's waiting is known, and looks distribute it. A look that decides on w microseconds
 * finds a function with some probability p, so the variance is the sum of w^2 p (1 - p) over looks.
 * With q, the squares of the looks that found the function, of all squares Q, p is q / Q, and the
 * variance q (Q - q) / Q. Variances of threads add up. A few threads with most squares are taken
 * one by one, the others together, which can only make the error larger. Linear in nodes and
 * symbols, for each of these threads.
 */
struct wait_errors wait_errors_make(const struct symbolized_stacks *symbolized,
				    const struct call_tree_choice *shown, struct arena *mem);

#endif
