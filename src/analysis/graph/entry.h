/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses entries of the call graph: a set of functions, and functions near them. */
#ifndef ANALYSIS_GRAPH_ENTRY_H
#define ANALYSIS_GRAPH_ENTRY_H

#include "analysis/functions/named.h"
#include "model/analysis.h"

struct entry_options {
	/* `number` is how many levels of callers and callees to show, from 1 */
	named_requests requests;
	enum demangle_style style; /* of demangled names */
};

/*
 * Returns the nodes whose entries show the requested functions and as many levels of callers and
 * callees as requested: for one level, the functions themselves; for each further level, the
 * callers and the callees of those so far. A cycle is one level away from its members. The set
 * lives in mem and has no bits if there are no requests. Reports an error for a request that
 * matches nothing, and warns of functions without calls and time. Linear in nodes and arcs for each
 * request, plus the cost of named_match().
 */
struct bitset entry_choose(const struct analysis *a, const struct location *locations,
			   const struct entry_options *opt, struct arena *mem, struct diag *diag);

#endif
