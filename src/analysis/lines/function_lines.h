/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions requests name, those that were inlined included, and on which lines they are. */
#ifndef ANALYSIS_LINES_FUNCTION_LINES_H
#define ANALYSIS_LINES_FUNCTION_LINES_H

#include "analysis/functions/named.h"
#include "analysis/lines/line_costs.h"
#include "base/index.h"
#include "model/line_table.h"

/* Lines of a file with functions that were asked for. Ranges of one file share no line. */
struct function_range {
	const char *file; /* as the line table has it; NULL: a symbol whose line is not known */
	unsigned first, last;
	unsigned context; /* the greatest that a request has */
};

/* A function that was inlined. */
struct function_lines_inlined {
	const char *function, *file; /* as the line table has them */
	uint32_t range;              /* index of its range plus 1, or 0 */
};

struct function_lines {
	const struct function_range *at; /* by file and line */
	uint32_t n;
	const uint32_t *of_symbol; /* of each symbol, the index of its range plus 1, or 0 */
	ARRAY(struct function_lines_inlined) inlined;
	struct index index; /* of these */
};

/* What --source asks for. */
struct function_lines_options {
	named_requests requests; /* `number` is how many lines of context */
	enum demangle_style style;
};

/* Parses SPEC[,context=N], as named_parse(). */
int function_lines_parse(struct named_request *request, const char *text, struct arena *mem,
			 struct diag *diag);

/*
 * Adds to pcs, in no order, the symbols' addresses whose lines function_lines_make() needs besides
 * those of samples and calls: of the functions that are named or, if a line is, of all. Linear in
 * symbols for each request.
 */
void function_lines_want(const struct named_program *program,
			 const struct function_lines_options *opt, address_list *pcs,
			 struct arena *mem);

/*
 * The ranges of the functions that are requested, in mem. A range goes from a function's first line
 * to the last line of its code in that file; ranges that share a line are joined. A request of a
 * line on which no function begins is for those that have code of it. It is an error if a request
 * matches nothing. n log n in symbols and rows for each request.
 */
struct function_lines function_lines_make(const struct named_program *program,
					  const struct line_table *lines,
					  const struct function_lines_options *opt,
					  struct arena *mem, struct diag *diag);

/* The index, plus 1, of the range of an inlined function by a file of its code; or 0. */
uint32_t function_lines_find_inlined(const struct function_lines *functions, const char *function,
				     const char *file);

#endif
