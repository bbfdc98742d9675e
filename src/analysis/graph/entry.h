/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single entries of the call graph: those of some functions, and of what is near them. */
#ifndef ANALYSIS_GRAPH_ENTRY_H
#define ANALYSIS_GRAPH_ENTRY_H

#include "analysis/functions/named.h"
#include "model/analysis.h"

struct entry_options {
	named_requests
		requests; /* with levels of callers and callees that are to be seen, from 1 */
	enum demangle_style style; /* of readable names */
};

/* Parses NAME[,depth=N], as named_parse(). */
int entry_parse(struct named_request *request, const char *text, struct arena *mem,
		struct diag *diag);

/*
 * The nodes whose entries show the requested functions with as many levels of callers and of
 * callees: for one level, the functions themselves; for each more, who calls those so far, and who
 * is called by them. A cycle is one level away from its members. In mem; without bits if there are
 * no requests. It is an error if one matches nothing. Tells of functions without calls and time.
 * Linear in nodes and arcs for each request, but for what named_match() adds.
 */
struct bitset entry_choose(const struct analysis *a, const struct location *locations,
			   const struct entry_options *opt, struct arena *mem, struct diag *diag);

#endif
