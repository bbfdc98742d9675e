/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of basic blocks from files that are no profile: --bb-convert. */
#ifndef RUN_COMMAND_CONVERT_H
#define RUN_COMMAND_CONVERT_H

#include "base/output.h"
#include "run/session/session.h"

/*
 * Reads a bb.out from standard input and writes its counts to out as a data file, for the machine
 * of the program if one was named, else for this one. 0, or -1 with the reason said.
 */
int blocks_convert(const struct session_input *input, struct output *out, struct arena *mem,
		   struct diag *diag);

#endif
