/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the first screen says about the run, and what it advises to type. */
#ifndef RUN_COMMAND_TOP_HEAD_H
#define RUN_COMMAND_TOP_HEAD_H

#include "model/top.h"
#include "run/command/command.h"
#include "run/session/session.h"

/* Sets how long the run took, its threads and processes, and how it ended, in s->mem. */
void top_head_describe(struct top *top, const struct session *s);

/* Sets what to type next, in s->mem: the same data, with the option that shows more of the function
 * to look at. */
void top_head_advise(struct top *top, const struct session *s, const struct command *c);

#endif
