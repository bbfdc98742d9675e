/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --diff: two sessions side by side, and what is made of them. */
#ifndef RUN_COMMAND_DIFF_H
#define RUN_COMMAND_DIFF_H

#include "run/command/command.h"

/*
 * Whether what opt->diff names is there to be read: to be asked before --run has a program work for
 * nothing. 0, also if there is no --diff, or -1 with the reason said.
 */
int diff_check_files(const struct options *opt, struct diag *diag);

/*
 * Compares the data files of the command line with those of opt->diff, writes the report or the
 * exports, and then the reports that were asked for of the former. The exit status is 3 if
 * something is slower by more than was allowed.
 */
int diff_run(const struct command *c);

#endif
