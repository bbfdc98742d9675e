/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of passes. */
#ifndef ANALYSIS_ANALYZE_H
#define ANALYSIS_ANALYZE_H

#include "analysis/order.h"
#include "analysis/select.h"
#include "base/diag.h"
#include "model/analysis.h"

/* What the passes are to do; of the command line. */
struct analysis_options {
	struct select_options select;
	bool count_lines; /* find the source lines of all symbols */
	enum order_kind order;
};

/*
 * Runs all passes. The result lives in mem and refers to program and prof. `locations` has one
 * for each symbol, or is NULL if neither select_needs_locations() nor count_lines asks for them.
 */
struct analysis analyze(const struct program *program, const struct profile *prof,
			const struct location *locations, const struct analysis_options *opt,
			struct arena *mem, struct diag *diag);

#endif
