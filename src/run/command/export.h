/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --export: files for other programs. */
#ifndef RUN_COMMAND_EXPORT_H
#define RUN_COMMAND_EXPORT_H

#include "run/command/export_files.h"
#include "run/command/steps.h"

/* What exports are made of, from export_begin() on. Not to be copied. */
struct export_values {
	struct session *session; /* that of the steps, or `beside` */
	struct session_input input;
	struct session beside;
	const struct call_trees *trees; /* if times are from call stacks, else NULL */
	struct integer_costs integer_costs;
};

/*
 * After steps_analyze(): analyses what is exported, in another session if exports have other
 * functions than the reports, and looks up the locations that both show, as steps_locate() does.
 * 0, or -1 with the reason said.
 */
int export_begin(struct export_values *e, struct steps *steps);

/* Writes all exports. 0, or -1 with the reason said. */
int export_end(struct export_values *e, struct steps *steps);

#endif
