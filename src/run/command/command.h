/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command is given. */
#ifndef RUN_COMMAND_COMMAND_H
#define RUN_COMMAND_COMMAND_H

#include "base/output.h"
#include "run/line/choices.h"
#include "run/session/input.h"

/* Each command is a function of this that returns the exit status, with the reason said if that is
 * EXIT_FAILURE. */
struct command {
	const struct options *opt;
	const struct session_input *data; /* opt->input, or what --run or a kept profile has made
					     of it */
	const export_requests *exports;   /* of these data */
	struct output *out;
	struct arena *mem;
	struct diag *diag;
};

#endif
