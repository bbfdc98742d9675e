/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --top: the first screen. */
#ifndef RUN_COMMAND_TOP_H
#define RUN_COMMAND_TOP_H

#include "model/line_costs.h"
#include "model/top.h"
#include "run/command/command.h"
#include "run/session/session.h"

/*
 * Returns what the first screen shows of a session, in s->mem: functions with their hottest lines,
 * the findings of --explain, and when the data were written. `out` is where it is written; NULL: an
 * export of TOP_USUAL functions. Reads the line tables of these functions, unless `costs` is not
 * NULL and has their lines, and decodes the program's code as --explain does. session_analyze()
 * must have been called.
 */
const struct top *top_gather(struct session *s, const struct command *c, const struct output *out,
			     const struct line_costs *costs);

#endif
