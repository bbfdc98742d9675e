/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time and calls of dropped functions, which text reports show in the rows of other functions. */
#ifndef ANALYSIS_FUNCTIONS_DROPPED_H
#define ANALYSIS_FUNCTIONS_DROPPED_H

#include "model/analysis.h"

/* Sums over the functions of program->dropped that have time or calls. */
struct dropped_sums {
	uint32_t nfunctions;
	double ticks;
	uint64_t ncalls;   /* of and by these functions */
	const char *first; /* the function with most ticks; with equal ticks, most calls */
};

/*
 * Adds up what appears in the rows of other functions because a->program->symtab lacks the dropped
 * ones, whatever is selected. If the symbols are source lines, only the calls of dropped functions
 * count: their time and the calls that they make are in the rows of their lines. n log n in arcs,
 * linear in bins.
 */
struct dropped_sums dropped_add_up(const struct analysis *a, const struct arena *mem);

#endif
