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

/* The command line's options for the passes. */
struct analysis_options {
	struct select_options select;
	struct entry_options entry;
	struct function_lines_options source;
	named_requests instructions; /* functions whose instructions are shown */
	enum order_kind order;
	double level; /* of confidence intervals, in percent; 0: none are wanted */
};

/* The input of the passes. */
struct analysis_input {
	const struct program *program;
	const struct profile *profile; /* addresses are those of the program */
	/*
	 * one for each symbol; NULL if neither select_needs_locations(), named_need_locations() nor
	 * NEEDS_LINES asks for them
	 */
	const struct location *locations;
	unsigned needs; /* set of needs of model/needs.h: of lines and of counts */
	/*
	 * The call stacks from which all times are taken; their symbols include the program's.
	 * NULL: times are from samples and calls. analyze() fills in the user's selection.
	 */
	const struct stacks_choice *stacks;
	struct confidence_runs runs; /* compared if opt->level is not 0 */
};

/* Returns `stacks` with the user's selection. */
struct stacks_choice analyze_choose(const struct stacks_choice *stacks,
				    const struct select_options *opt);

/* Runs all passes. The result lives in mem and refers to the input's program and profile. */
struct analysis analyze(const struct analysis_input *input, const struct analysis_options *opt,
			struct arena *mem, struct diag *diag);

#endif
