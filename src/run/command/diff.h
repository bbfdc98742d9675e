/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --diff, before any work is done. */
#ifndef RUN_COMMAND_DIFF_H
#define RUN_COMMAND_DIFF_H

#include "run/command/command.h"

/*
 * Whether what opt->diff names is there to be read: to be asked before --run has a program work for
 * nothing. 0, also if there is no --diff, or -1 with the reason said.
 */
int diff_check_files(const struct options *opt, struct diag *diag);

#endif
