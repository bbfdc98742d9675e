/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up data files (-s, --sum). */
#ifndef RUN_COMMAND_SUM_H
#define RUN_COMMAND_SUM_H

#include "run/command/steps.h"

/* Whether the options ask only for a sum. */
bool sum_is_alone(const struct command *c);

/* Writes the sum, after steps_read(). Returns 0, or -1 after saying why not. */
int sum_write(struct steps *steps);

#endif
