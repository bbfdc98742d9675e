/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exports files for other programs (--export). */
#ifndef RUN_COMMAND_EXPORT_H
#define RUN_COMMAND_EXPORT_H

#include "run/command/export_files.h"
#include "run/command/steps.h"

/* The exports that show the same functions. */
struct export_part {
	export_requests requests; /* if there are none, nothing else is valid */
	struct session *session;  /* the session of the steps, or `beside` */
	struct session_input input;
	struct session beside;
	const struct call_trees *trees; /* NULL: times are not from call stacks */
	struct integer_costs integer_costs;
};

/*
 * The values that exports are made of, from export_begin() on: for formats that show inlined
 * functions only if the user wants them, and for those that always show them. Must not be copied.
 */
struct export_values {
	struct export_part part[2];
};

/*
 * Called after steps_analyze(). Analyses what is exported, in another session if exports show other
 * functions than the reports, and looks up the locations that reports and exports show;
 * steps_locate() is not needed then. Returns 0, or -1 after saying why not.
 */
int export_begin(struct export_values *e, struct steps *steps);

/* Writes all exports. Returns 0, or -1 after saying why not. */
int export_end(struct export_values *e, struct steps *steps);

#endif
