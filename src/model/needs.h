/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reports and exports need, in one mask, so that a run reads and computes no more than that.
 */
#ifndef MODEL_NEEDS_H
#define MODEL_NEEDS_H

/* What a report or an export needs to have, as bits. */
enum need {
	NEEDS_SAMPLES = 1,   /* a histogram in the data */
	NEEDS_CALLS = 2,     /* arcs in the data */
	NEEDS_STACKS = 4,    /* call paths */
	NEEDS_LOCATIONS = 8, /* source file and line of each function in it */
	NEEDS_SOURCES = 16,  /* source text */
};

#endif
