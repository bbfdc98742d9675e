/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source lines of some functions, with the time of each and what was inlined there. */
#ifndef MODEL_LISTING_H
#define MODEL_LISTING_H

#include "model/symtab.h"

#include <stdbool.h>

/* In place of a number of context lines: all lines of the function. */
#define LISTING_WHOLE UINT32_MAX

/* In ticks. `inclusive` needs call stacks, of which each counts once; else it is 0. */
struct listing_time {
	double self, inclusive;
};

/* A function that was inlined on a line, and the part of the line's time in its code. */
struct listing_inlined {
	const char *function; /* by its linkage name */
	struct listing_time time;
};

/* Addresses [lo, hi). */
struct listing_range {
	uint64_t lo, hi;
};

/* A line that has code or calls; its time includes what was inlined there. */
struct listing_line {
	const char *file; /* NULL, and line 0: code whose line is not known */
	unsigned line;
	struct listing_time time;
	uint64_t ncalls; /* made from there */
	const struct listing_inlined *inlined;
	uint32_t ninlined; /* with time, the most first */
	const struct listing_range *range;
	uint32_t nranges; /* by address, with gaps; none where the line is not known */
};

/* A function, or some that share source lines, such as the instances of a template. */
struct listing {
	const char *file;     /* NULL: not known */
	unsigned first, last; /* of its lines in that file; 0 without file */
	unsigned context;     /* how many lines around each with time to show, or LISTING_WHOLE */
	const sym_id *symbol; /* by id; none if all its code was inlined elsewhere */
	uint32_t nsymbols;
	const char *const *inlined; /* functions of the same lines that were inlined elsewhere */
	uint32_t ninlined;
	struct listing_time time;        /* of all code of these functions */
	double inlined_self;             /* the part of self that was inlined into others */
	uint64_t ncalls;                 /* of the symbols, from other functions */
	const struct listing_line *line; /* first nlines from `first` to `last`, by line */
	uint32_t nlines, nothers;        /* then nothers of other code, the most time first */
};

/* Those with most time come first. */
struct listings {
	const struct listing *at;
	uint32_t n;
	bool measured; /* inclusive times are known */
};

#endif
