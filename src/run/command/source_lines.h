/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of source lines: annotated files (-A), and functions that --source names. */
#ifndef RUN_COMMAND_SOURCE_LINES_H
#define RUN_COMMAND_SOURCE_LINES_H

#include "run/command/steps.h"

/* Adds to a view the texts of annotated files and, with --time-columns, the time of their lines.
 * The session was analysed with NEEDS_LINES. */
void source_lines_gather_files(struct steps *steps, struct view *view);

/*
 * Adds the listings of --source to a view of a session that was analysed. Reads the debug
 * information of code with samples and calls, and the source files. 0, or -1 with the reason said
 * if a request names no function.
 */
int source_lines_gather_listings(struct steps *steps, struct view *view);

#endif
