/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of source lines: annotated files (-A), and the functions of --source. */
#ifndef RUN_COMMAND_SOURCE_LINES_H
#define RUN_COMMAND_SOURCE_LINES_H

#include "run/command/steps.h"

/*
 * Adds to a view the texts of annotated files and, for --time-columns, the time of their lines.
 * session_analyze() must have been called with NEEDS_LINES.
 */
void source_lines_gather_files(struct steps *steps, struct view *view);

/*
 * Adds the listings of --source to a view. Reads the debug information of code with samples and
 * calls, and the source files. Returns 0, or -1 after saying that a request names no function.
 * session_analyze() must have been called.
 */
int source_lines_gather_listings(struct steps *steps, struct view *view);

#endif
