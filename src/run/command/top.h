/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --top: the first screen. */
#ifndef RUN_COMMAND_TOP_H
#define RUN_COMMAND_TOP_H

#include "model/line_costs.h"
#include "model/top.h"
#include "run/command/command.h"
#include "run/session/session.h"

/*
 * What the screen shows of a session that was analysed: functions with their lines, what --explain
 * finds, and when the data were written; in s->mem. For out, or if that is NULL, for an export, of
 * TOP_USUAL functions. It reads the line tables of what is shown, unless `costs` is not NULL and
 * has them, and looks at the program's code as --explain does.
 */
const struct top *top_gather(struct session *s, const struct command *c, const struct output *out,
			     const struct line_costs *costs);

#endif
