/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the symbols and arcs that reports show and count. */
#ifndef ANALYSIS_FUNCTIONS_SELECT_H
#define ANALYSIS_FUNCTIONS_SELECT_H

#include "base/array.h"
#include "base/diag.h"
#include "model/program.h"
#include "model/selection.h"

/* Tables that specifications select for: one for each part of the output. */
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
	const char *text; /* a specification (spec.h) */
	enum select_table table;
	bool exclude;
	const char *meant; /* suggestion for the message if nothing matches; NULL: similar names */
};

struct select_options {
	ARRAY(struct select_request) requests;
};

/*
 * Whether a request names files or lines, so that locations are needed; `modules` as for
 * spec_parse().
 */
bool select_needs_locations(const struct select_options *opt, bool modules,
			    const struct arena *mem);

/*
 * Evaluates the requests as sets, in mem, whatever their order. The set of a table is what requests
 * include; or, if that matches nothing in the program, all but what they exclude and the profiler's
 * own entry points. Requests for calls match if their callers do. `locations` has one entry for
 * each symbol, or is NULL if not needed; `space` is the table's address space, or NULL. Warns of
 * requests without effect. Linear in symbols, plus the cost of spec_match().
 */
struct selection select_symbols(const struct symtab *symtab, const struct address_space *space,
				const struct location *locations, const struct select_options *opt,
				struct arena *mem, struct diag *diag);

#endif
