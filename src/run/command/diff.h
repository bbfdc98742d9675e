/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --diff: two sessions side by side, and what is made of them. */
#ifndef RUN_COMMAND_DIFF_H
#define RUN_COMMAND_DIFF_H

#include "run/line/options.h"

/*
 * Whether what opt->diff names is there to be read: to be asked before --run has a program work for
 * nothing. 0, also if there is no --diff, or -1 with the reason said.
 */
int diff_check_files(const struct options *opt, struct diag *diag);

/*
 * Compares the data files of the command line with those of opt->diff, and writes the report or the
 * exports. The exit status: 1 with the reason said, 3 if something is slower by more than was
 * allowed, else 0.
 */
int diff_run(const struct options *opt, struct output *out, struct arena *mem, struct diag *diag);

#endif
