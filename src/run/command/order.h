/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --order: an order of functions for a linker. */
#ifndef RUN_COMMAND_ORDER_H
#define RUN_COMMAND_ORDER_H

#include "run/line/options.h"

/*
 * Reads into an open session the program and its data files, and writes the order that opt asks
 * for, to its file or to out. 0, or -1 with the reason said.
 */
int order_run(struct session *s, const struct options *opt, struct output *out);

#endif
