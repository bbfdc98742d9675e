/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that the first screen shows. */
#ifndef RUN_TOP_H
#define RUN_TOP_H

#include "model/top.h"
#include "run/options.h"
#include "run/session.h"

/*
 * For out, from a session that was analysed: functions with their lines, what --explain finds, and
 * when the data were written; in s->mem. It reads the line tables of what is shown, and looks at
 * the program's code as --explain does.
 */
const struct top *top_gather(struct session *s, const struct options *opt,
			     const struct output *out);

#endif
