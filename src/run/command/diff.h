/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The differences of --diff and --versus. */
#ifndef RUN_COMMAND_DIFF_H
#define RUN_COMMAND_DIFF_H

#include "run/command/command.h"

/*
 * Returns 0 if the files of opt->diff exist, or if there is no --diff; else -1 after saying why
 * not. To be called before --run starts a program whose result would be of no use.
 */
int diff_check_files(const struct options *opt, struct diag *diag);

/* Two sides that --versus has run, in place of data files. */
struct diff_pairs {
	struct session_input input[SIDES];
	struct diff_request request; /* how functions are compared; it names no files */
	const struct paired *paired;
};

/*
 * Writes what the pairs say of the totals, then the difference of functions, and the exports.
 * Returns the exit status.
 */
int diff_run_pairs(const struct command *c, const struct diff_pairs *pairs);

#endif
