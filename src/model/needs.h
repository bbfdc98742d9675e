/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report or an export needs, as bits of a mask. */
#ifndef MODEL_NEEDS_H
#define MODEL_NEEDS_H

#include "base/diag.h"
#include "model/profile.h"

enum need {
	NEEDS_SAMPLES = 1,      /* samples in the profile: an error without them */
	NEEDS_CALLS = 2,        /* calls in the profile: an error without them */
	NEEDS_STACKS = 4,       /* call paths */
	NEEDS_LOCATIONS = 8,    /* source file and line of all functions that are shown */
	NEEDS_SOURCES = 16,     /* the text of source files */
	NEEDS_LINES = 32,       /* counts of source lines */
	NEEDS_CYCLES = 64,      /* call paths in which a cycle is one function */
	NEEDS_MEASURED = 128,   /* call stacks in all data files: an error without them */
	NEEDS_THREADS = 512,    /* the call stacks of each thread, if there are any */
	NEEDS_LINE_COSTS = 256, /* addresses and source lines of samples and calls */
	NEEDS_TOP = 1024,       /* the contents of the first screen */
	NEEDS_UNCALLED = 2048,  /* locations also of functions that did nothing */
	NEEDS_BLAME = 4096,     /* who waited for whom, if it was recorded */
};

/*
 * Returns 0 if the profile has the samples, calls and stacks that `what`, such as "a flat profile",
 * needs; else -1 after an error message.
 */
int needs_check(unsigned needs, const char *what, const struct profile *prof, struct diag *diag);

#endif
