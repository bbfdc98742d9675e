/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --explain: what is wrong with a program and its data files. */
#ifndef RUN_COMMAND_EXPLAIN_H
#define RUN_COMMAND_EXPLAIN_H

#include "run/command/command.h"

enum { EXPLAIN_CAUSE = 3 }; /* the exit status if anything is wrong */

/* The program may lack symbols, and data files may be missing. */
int explain_run(const struct command *c);

#endif
