/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single entries of the call graph: those of some functions, and of what is near them. */
#ifndef ANALYSIS_ENTRY_H
#define ANALYSIS_ENTRY_H

#include "base/array.h"
#include "base/demangle.h"
#include "base/diag.h"
#include "model/analysis.h"

struct entry_request {
	const char *name; /* a specification as spec.h has it, or a readable name */
	unsigned depth;   /* levels of callers and callees that are to be seen, from 1 */
};

struct entry_options {
	ARRAY(struct entry_request) requests;
	enum demangle_style style; /* of readable names */
};

/*
 * Parses NAME[,depth=N]. Commas in NAME are part of it. The request's name lives in mem. 0, or -1
 * with the reason said.
 */
int entry_parse(struct entry_request *request, const char *text, struct arena *mem,
		struct diag *diag);

/* Whether a request names files or lines; with `modules`, as spec_parse() has them. */
bool entry_needs_locations(const struct entry_options *opt, bool modules, const struct arena *mem);

/*
 * The nodes whose entries show the requested functions with as many levels of callers and of
 * callees: for one level, the functions themselves; for each more, who calls those so far, and who
 * is called by them. A cycle is one level away from its members. In mem; without bits if there are
 * no requests. What matches no specification may be a name as reports show it, with or without
 * parameters and what they return; it is an error if that matches nothing either. Tells of
 * functions without calls and time. Linear in nodes and arcs for each request, but for what
 * spec_match() adds.
 */
struct bitset entry_choose(const struct analysis *a, const struct location *locations,
			   const struct entry_options *opt, struct arena *mem, struct diag *diag);

#endif
