/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The argument of --versus. */
#ifndef RUN_LINE_VERSUS_KEYS_H
#define RUN_LINE_VERSUS_KEYS_H

#include "run/launch/experiment.h"

/*
 * Parses OLD[,KEY[=VALUE]...], where OLD is a program or a command whose words are separated as in
 * a shell. A comma belongs to a command of several words unless one of the keys follows it. The
 * request points into mem. 0, or -1 after saying what is wrong.
 */
int versus_keys_parse(struct experiment_request *request, const char *text, struct arena *mem,
		      struct diag *diag);

#endif
