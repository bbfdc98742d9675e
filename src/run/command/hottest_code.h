/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of the functions with most time, for exports. */
#ifndef RUN_COMMAND_HOTTEST_CODE_H
#define RUN_COMMAND_HOTTEST_CODE_H

#include "model/instructions.h"
#include "model/line_costs.h"
#include "run/session/session.h"

/*
 * Returns the instructions of the functions with most time of their own and of what was inlined
 * into them, in s->mem: of few functions, and not of very long ones. Functions whose code cannot be
 * read are left out without a message. `stacks`: costs are from call stacks. s->lines are those of
 * code with samples. Linear in costs and instructions, times log n.
 */
const struct instruction_listings *hottest_code_gather(const struct session *s,
						       const struct line_costs *costs, bool stacks);

#endif
