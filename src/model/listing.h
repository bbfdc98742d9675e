/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The source lines of some functions, with the time of each line and the functions inlined there.
 */
#ifndef MODEL_LISTING_H
#define MODEL_LISTING_H

#include "model/symtab.h"

#include <stdbool.h>

/* Number of context lines that means all lines of the function. */
#define LISTING_WHOLE UINT32_MAX

/*
 * Times in ticks. `inclusive` is known only from call stacks, each of which counts once; else it is
 * 0.
 */
struct listing_time {
	double self, inclusive;
};

/* A function that was inlined on a line, and the part of the line's time that is in its code. */
struct listing_inlined {
	const char *function; /* its linkage name */
	struct listing_time time;
};

/* Addresses [lo, hi). */
struct listing_range {
	uint64_t lo, hi;
};

/* A line that has code or calls; its time includes the functions inlined there. */
struct listing_line {
	const char *file; /* NULL, with line 0: code whose line is not known */
	unsigned line;
	struct listing_time time;
	uint64_t ncalls; /* calls made on this line */
	const struct listing_inlined *inlined;
	uint32_t ninlined; /* those with time, the most first */
	const struct listing_range *range;
	uint32_t nranges; /* sorted by address, with gaps; 0 if the line is not known */
};

/* A function, or several functions that share source lines, such as instances of a template. */
struct listing {
	const char *file; /* NULL: not known */
	unsigned first,
		last; /* first and last line of the functions in that file; 0 without file */
	/* how many lines around each line with time are shown, or LISTING_WHOLE */
	unsigned context;
	const sym_id *symbol; /* symbols by id; empty if all code of the functions was inlined
				 elsewhere */
	uint32_t nsymbols;
	const char *const *inlined; /* functions with the same lines that were inlined elsewhere */
	uint32_t ninlined;
	struct listing_time time; /* time in all code of these functions */
	/* the part of time.self that is in code inlined into other functions */
	double inlined_self;
	uint64_t ncalls;                 /* calls of the symbols by other functions */
	const struct listing_line *line; /* first nlines lines from `first` to `last`, in order */
	uint32_t nlines,
		nothers; /* then nothers lines of other code, those with the most time first */
};

/* Sorted by time, the most first. */
struct listings {
	const struct listing *at;
	uint32_t n;
	bool measured; /* inclusive times are known */
};

#endif
