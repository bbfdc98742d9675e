/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of commands that show one program with its data, in the order in which they take them.
 */
#ifndef RUN_COMMAND_STEPS_H
#define RUN_COMMAND_STEPS_H

#include "io/outfiles.h"
#include "model/view.h"
#include "run/command/command.h"
#include "run/session/session.h"

/* The values that the steps make. They live as long as steps_run() runs. */
struct steps {
	const struct command *c;
	unsigned reports; /* the reports to be written, as bits of report.h */
	struct session_input input;
	struct session session; /* of the input */
	struct outfiles files;  /* files that the command writes besides its output */
};

/* Which functions a command shows. */
enum steps_functions {
	STEPS_GNU_FUNCTIONS, /* functions that GNU gprof shows, unless the user chose others */
	STEPS_ALL_FUNCTIONS, /* as input_with_all_functions() chooses them */
};

/*
 * Opens the program, calls list(), which returns an exit status, or -1 after saying why it failed,
 * and closes the program. Returns the exit status.
 */
int steps_run(const struct command *c, enum steps_functions functions,
	      int (*list)(struct steps *steps));

/*
 * Each of the following returns 0, or -1 after saying why it failed.
 *
 * steps_read() reads the program and its data, chooses the reports, and checks that the data have
 * what reports and exports need. steps_analyze() makes session.analysis.
 */
int steps_read(struct steps *steps);
int steps_analyze(struct steps *steps);

/* Looks up the source locations that the reports show. session.analysis must have been made. */
void steps_locate(struct steps *steps);

/* Returns a view of the session; the caller fills in the parts that only some reports show. */
struct view steps_view(struct steps *steps);

/* Writes the reports, after errors on damaged debug information. */
int steps_write(struct steps *steps, const struct view *view);

/*
 * To be called when everything was written: notes what a reader of the reports may need to know.
 * Returns -1 also if any error was reported before.
 */
int steps_end(struct steps *steps);

#endif
