/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of gprof, each in a file of its own, and what they are given. */
#ifndef RUN_COMMAND_COMMAND_H
#define RUN_COMMAND_COMMAND_H

#include "base/output.h"
#include "run/line/choices.h"
#include "run/session/input.h"

struct command {
	const struct options *opt;
	/* opt->input, or the input that --run or a kept profile leads to */
	const struct session_input *data;
	const export_requests *exports; /* exports of these data */
	struct output *out;    /* standard output, for exports and the sum that are to go there */
	struct output *report; /* where text reports go */
	struct arena *mem;
	struct diag *diag;
	const struct experiment *experiment; /* what --versus has run, or NULL */
	int history; /* descriptor of the file of --history; -1: there is none */
};

/* Exit statuses that are not failures. */
enum {
	COMMAND_CAUSE = 3,  /* --explain: a finding says that something is wrong */
	COMMAND_SLOWER = 3, /* --diff, --versus: something is slower by more than allowed */
};

/* Each command returns the exit status; if that is EXIT_FAILURE, it has said why. */
int classic_run(const struct command *c); /* reports in any combination, with a sum and exports */
int convert_run(const struct command *c); /* --bb-convert */
int diff_run(const struct command *c);    /* --diff, then the reports that were asked for */
int explain_run(const struct command *c); /* --explain */
int export_run(const struct command *c);  /* --export without reports */
int order_run(const struct command *c);   /* --order */
int ranks_run(const struct command *c);   /* --ranks alone */
int sum_run(const struct command *c);     /* -s alone */
int top_run(const struct command *c);     /* --top alone */
int versus_run(const struct command *c);  /* --versus, after its runs */

#endif
