/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --order: an order of functions for a linker. */
#ifndef RUN_ORDERING_H
#define RUN_ORDERING_H

#include "run/options.h"

/*
 * Reads into an open session the program and its data files, and writes the order that opt asks
 * for, to its file or to out. 0, or -1 with the reason said.
 */
int ordering_run(struct session *s, const struct options *opt, struct output *out);

#endif
