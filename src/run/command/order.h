/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --order: an order of functions for a linker. */
#ifndef RUN_COMMAND_ORDER_H
#define RUN_COMMAND_ORDER_H

#include "run/command/command.h"

int order_run(const struct command *c);

#endif
