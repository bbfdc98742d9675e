/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of passes. */
#ifndef ANALYSIS_ANALYZE_H
#define ANALYSIS_ANALYZE_H

#include "analysis/confidence.h"
#include "analysis/functions/select.h"
#include "analysis/graph/entry.h"
#include "analysis/lines/function_lines.h"
#include "analysis/order/order.h"
#include "analysis/stacks/call_tree.h"
#include "base/diag.h"
#include "model/analysis.h"

/* What the passes are to do, by the command line. */
struct analysis_options {
	struct select_options select;
	struct entry_options entry;
	struct function_lines_options source;
	enum order_kind order;
	double level; /* percent, of intervals; 0: none */
};

/* What they work on. */
struct analysis_input {
	const struct program *program;
	const struct profile *profile;    /* by the addresses of the program */
	const struct location *locations; /* one for each symbol, or NULL if neither
					     select_needs_locations(), named_need_locations() nor
					     NEEDS_LINES asks for them */
	unsigned needs;                   /* as model/needs.h has them: of lines, counts */
	/* Call stacks whose table is the program's, to take all times from; NULL: samples and
	 * calls. What the user selects is filled in. */
	const struct stacks_choice *stacks;
	confidence_add_files *add_files; /* with `arg`, for opt->level without stacks */
	void *arg;
};

/* The stacks with what the user selects of them. */
struct stacks_choice analyze_choose(const struct stacks_choice *stacks,
				    const struct select_options *opt);

/* Runs all passes. The result lives in mem and refers to the input's program and profile. */
struct analysis analyze(const struct analysis_input *input, const struct analysis_options *opt,
			struct arena *mem, struct diag *diag);

#endif
