/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the arguments of --diff before any work is done. */
#ifndef RUN_COMMAND_DIFF_H
#define RUN_COMMAND_DIFF_H

#include "run/command/command.h"

/*
 * Returns 0 if the files of opt->diff exist, or if there is no --diff; else -1 after saying why
 * not. To be called before --run starts a program whose result would be of no use.
 */
int diff_check_files(const struct options *opt, struct diag *diag);

#endif
