/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which symbols and arcs the views show and credit. */
#ifndef ANALYSIS_FUNCTIONS_SELECT_H
#define ANALYSIS_FUNCTIONS_SELECT_H

#include "base/array.h"
#include "base/diag.h"
#include "model/program.h"
#include "model/selection.h"

/* What a specification of the command line is about. */
enum select_table {
	SELECT_FLAT,
	SELECT_GRAPH,
	SELECT_ARCS,
	SELECT_TIME,
	SELECT_EXEC,
	SELECT_LINES,
	SELECT_INCLUSIVE,
	SELECT_TREE,
	NTABLES
};

struct select_request {
	const char *text; /* a specification as spec.h has it */
	enum select_table table;
	bool exclude;
	const char *meant; /* told if it matches nothing; NULL: names that are like it are */
};

struct select_options {
	ARRAY(struct select_request) requests;
};

/* Whether a request names files or lines; with `modules`, as spec_parse() has them. */
bool select_needs_locations(const struct select_options *opt, bool modules,
			    const struct arena *mem);

/*
 * Evaluates the requests as sets, whatever their order: of a table, what is included; or if that
 * matches nothing in the program, everything but what is excluded and the profiler's own entry
 * points. Calls match something if their callers do. The sets live in mem. `locations` has one for
 * each symbol, or is NULL if not needed; so is the space, which the table is of, or NULL. Warns of
 * requests without effect. Linear in symbols but for what spec_match() adds.
 */
struct selection select_symbols(const struct symtab *symtab, const struct address_space *space,
				const struct location *locations, const struct select_options *opt,
				struct arena *mem, struct diag *diag);

#endif
