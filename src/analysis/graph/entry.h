/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses entries of the call graph: some functions, and those near them. */
#ifndef ANALYSIS_GRAPH_ENTRY_H
#define ANALYSIS_GRAPH_ENTRY_H

#include "analysis/functions/named.h"
#include "model/analysis.h"

struct entry_options {
	named_requests requests; /* `number` is the levels of callers and callees to show, from 1 */
	enum demangle_style style; /* of readable names */
};

/* Parses NAME[,depth=N], as named_parse(). */
int entry_parse(struct named_request *request, const char *text, struct arena *mem,
		struct diag *diag);

/*
 * The nodes whose entries show the requested functions with as many levels of callers and of
 * callees: for one level, the functions themselves; for each further one, the callers and the
 * callees of those so far. A cycle is one level away from its members. In mem; without bits if
 * there are no requests. It is an error if one matches nothing. Warns of functions without calls
 * and time. Linear in nodes and arcs for each request, plus the cost of named_match().
 */
struct bitset entry_choose(const struct analysis *a, const struct location *locations,
			   const struct entry_options *opt, struct arena *mem, struct diag *diag);

#endif
