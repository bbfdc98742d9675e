/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a text report has in the rows of other functions. */
#ifndef ANALYSIS_FUNCTIONS_DROPPED_H
#define ANALYSIS_FUNCTIONS_DROPPED_H

#include "model/analysis.h"

/* Of the functions in program->dropped that have anything. */
struct dropped_sums {
	uint32_t nfunctions;
	double ticks;
	uint64_t ncalls;   /* of them and by them, to other functions or from others */
	const char *first; /* the name of the one with most ticks, of several with most calls */
};

/*
 * Adds up what is in rows of others if a->program->symtab lacks the dropped functions, whatever is
 * selected. Where the table has source lines, these have the time and the calls that are made, but
 * not the calls of the functions. n log n in arcs, linear in bins.
 */
struct dropped_sums dropped_add_up(const struct analysis *a, const struct arena *mem);

#endif
