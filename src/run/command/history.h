/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --versus found is added to the file of --history. */
#ifndef RUN_COMMAND_HISTORY_H
#define RUN_COMMAND_HISTORY_H

#include "model/history.h"
#include "run/command/command.h"

/*
 * Appends an entry to the file that main.c has opened, and reads all of it for the chart. Pairs
 * that did not end as they should are not added, which a note says. d is NULL if functions were not
 * compared. Returns 0, or -1 after saying why not. The history lives in c->mem.
 */
int history_add_pairs(struct history *history, const struct command *c, const struct difference *d);

#endif
