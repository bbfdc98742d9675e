/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --sum: the data files added up. */
#ifndef RUN_COMMAND_SUM_H
#define RUN_COMMAND_SUM_H

#include "run/command/steps.h"

/* Whether the options ask for nothing but a sum. */
bool sum_is_alone(const struct command *c);

/* Writes the sum after steps_read(). 0, or -1 with the reason said. */
int sum_write(struct steps *steps);

#endif
