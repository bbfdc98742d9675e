/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --bb-convert: counts of basic blocks from a bb.out become a data file. */
#ifndef RUN_COMMAND_CONVERT_H
#define RUN_COMMAND_CONVERT_H

#include "run/command/command.h"

/* Reads a bb.out from standard input. The data file is for the machine of the program, if one was
 * named, or else for this one. */
int convert_run(const struct command *c);

#endif
