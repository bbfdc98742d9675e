/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions requests name, those that were inlined included, and on which lines they are. */
#ifndef ANALYSIS_EXTENTS_H
#define ANALYSIS_EXTENTS_H

#include "analysis/named.h"
#include "analysis/places.h"
#include "base/index.h"
#include "model/linetable.h"

/* Lines of a file that are of functions which were asked for; of one file disjoint. */
struct extent {
	const char *file; /* as the line table has it; NULL: a symbol whose line is not known */
	unsigned first, last;
	unsigned context; /* the greatest number of the requests */
};

/* A function that was inlined. */
struct extent_inlined {
	const char *function, *file; /* as the line table has them */
	uint32_t extent;             /* its place */
};

struct extents {
	const struct extent *at; /* by file and line */
	uint32_t n;
	const uint32_t *of_symbol; /* of each symbol, the place plus 1, or 0 */
	ARRAY(struct extent_inlined) inlined;
	struct index index; /* of these */
};

/* What requests can be of: a specification of lines or files, or a name. */
struct extent_options {
	named_requests requests; /* with lines of context */
	enum demangle_style style;
};

/* Parses SPEC[,context=N], as named_parse(). */
int extents_parse(struct named_request *request, const char *text, struct arena *mem,
		  struct diag *diag);

/*
 * Adds to pcs, sorted or not, symbols' addresses whose lines extents_make() wants beside those of
 * samples and calls: of the functions that are named or, if a line is, of all. Linear in symbols
 * for each request.
 */
void extents_want(const struct named_program *program, const struct extent_options *opt,
		  place_addresses *pcs, struct arena *mem);

/*
 * In mem. A function's extent goes from where it begins to the last line of its code in that file;
 * extents that share a line are joined. A request of a line on which no function begins is for
 * those with code of it. It is an error if a request matches nothing. n log n in symbols and rows
 * for each request.
 */
struct extents extents_make(const struct named_program *program, const struct line_table *lines,
			    const struct extent_options *opt, struct arena *mem, struct diag *diag);

/* The place, plus 1, of the extent of an inlined function whose code in a file is at hand, or 0. */
uint32_t extents_find_inlined(const struct extents *extents, const char *function,
			      const char *file);

#endif
