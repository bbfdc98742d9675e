/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command line asks for, done. */
#ifndef RUN_COMMAND_RUN_H
#define RUN_COMMAND_RUN_H

#include "run/line/options.h"

/*
 * Writes what the options ask for to out, and to files of its own. The exit status: EXIT_SUCCESS,
 * EXIT_FAILURE with the reason said, or EXPLAIN_CAUSE.
 */
int run(const struct options *opt, struct output *out, struct arena *mem, struct diag *diag);

#endif
