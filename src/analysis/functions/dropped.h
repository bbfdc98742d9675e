/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time and calls of functions that the symbol table dropped; text reports show them in the rows of
 * other functions.
 */
#ifndef ANALYSIS_FUNCTIONS_DROPPED_H
#define ANALYSIS_FUNCTIONS_DROPPED_H

#include "model/analysis.h"

/* Sums over the functions of program->dropped that have time or calls. */
struct dropped_sums {
	uint32_t nfunctions;
	double ticks;
	uint64_t ncalls;   /* calls of these functions and by them */
	const char *first; /* the function with the most ticks or, of equals, the most calls */
};

/*
 * Adds up the time and calls of dropped functions, which a->program->symtab lacks and which
 * therefore appear in the rows of other functions, whatever the user selected. If the symbols are
 * source lines, adds only the calls of dropped functions: their time, and the calls that they make,
 * are in the rows of their lines. n log n in arcs, linear in bins.
 */
struct dropped_sums dropped_add_up(const struct analysis *a, const struct arena *mem);

#endif
