/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of --source=NAME,asm. */
#ifndef RUN_COMMAND_SOURCE_INSTRUCTIONS_H
#define RUN_COMMAND_SOURCE_INSTRUCTIONS_H

#include "run/command/steps.h"

/*
 * Adds the instructions of the functions that are asked for to a view. Reads their code, the debug
 * information of code with samples and calls, and source files. Returns 0, or -1 after saying that
 * a request names no function, or that code cannot be read. session_analyze() must have been
 * called.
 */
int source_instructions_gather(struct steps *steps, struct view *view);

#endif
