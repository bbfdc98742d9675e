/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions that requests name, inlined ones included, and their source lines. */
#ifndef ANALYSIS_LINES_FUNCTION_LINES_H
#define ANALYSIS_LINES_FUNCTION_LINES_H

#include "analysis/functions/named.h"
#include "analysis/lines/line_costs.h"
#include "base/index.h"
#include "model/line_table.h"

/* Lines of a file that contain requested functions. Ranges of one file share no lines. */
struct function_range {
	const char *file; /* as in the line table; NULL: a symbol whose line is not known */
	unsigned first, last;
	unsigned context; /* lines of context; if requests differ, the most */
};

/* A function that was inlined. */
struct function_lines_inlined {
	const char *function, *file; /* as in the line table */
	uint32_t range;              /* index of its range plus 1, or 0 */
};

struct function_lines {
	const struct function_range *at; /* sorted by file and line */
	uint32_t n;
	const uint32_t *of_symbol; /* for each symbol, the index of its range plus 1; 0: none */
	ARRAY(struct function_lines_inlined) inlined;
	struct index index; /* of `inlined` */
};

/* What --source asks for. */
struct function_lines_options {
	named_requests requests; /* `number` is how many lines of context */
	enum demangle_style style;
};

/*
 * Adds to pcs, in no order, the addresses of symbols whose lines function_lines_make() needs in
 * addition to those of samples and calls: of the functions that are named or, if a request names a
 * line, of all. Linear in symbols for each request.
 */
void function_lines_want(const struct named_program *program,
			 const struct function_lines_options *opt, address_list *pcs,
			 struct arena *mem);

/*
 * Returns, in mem, the source ranges of the requested functions. A range goes from a function's
 * first line to the last line of its code in that file; ranges that share lines are joined. A
 * request for a line on which no function begins means the functions that have code of that line.
 * Reports an error if a request matches nothing. n log n in symbols and rows for each request.
 */
struct function_lines function_lines_make(const struct named_program *program,
					  const struct line_table *lines,
					  const struct function_lines_options *opt,
					  struct arena *mem, struct diag *diag);

/*
 * Returns the index, plus 1, of the range of an inlined function that has code of `file`; 0: none.
 */
uint32_t function_lines_find_inlined(const struct function_lines *functions, const char *function,
				     const char *file);

#endif
