/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of commands that show one program with its data, in the order in which they take them.
 */
#ifndef RUN_COMMAND_STEPS_H
#define RUN_COMMAND_STEPS_H

#include "io/outfiles.h"
#include "model/view.h"
#include "run/command/command.h"
#include "run/session/session.h"

/* What the steps make. Lives as long as steps_run(). */
struct steps {
	const struct command *c;
	unsigned reports; /* to be written, as bits of report.h */
	struct session_input input;
	struct session session; /* of the input */
	struct outfiles files;  /* that the command writes beside its output */
};

/* Whose names and times a command shows. */
enum steps_functions {
	STEPS_GNU_FUNCTIONS, /* those of GNU gprof, unless the user chose others */
	STEPS_ALL_FUNCTIONS, /* as input_with_all_functions() has it */
};

/*
 * Opens the program, calls list(), which returns an exit status, or -1 with the reason said, and
 * closes it. Returns the exit status.
 */
int steps_run(const struct command *c, enum steps_functions functions,
	      int (*list)(struct steps *steps));

/*
 * Each of the following returns 0, or -1 with the reason said.
 *
 * steps_read() reads the program and its data, chooses the reports, and checks that the data have
 * what reports and exports need. steps_analyze() makes session.analysis.
 */
int steps_read(struct steps *steps);
int steps_analyze(struct steps *steps);

/* Looks up the source locations that the reports show. The session was analysed. */
void steps_locate(struct steps *steps);

/* A view of the session, in which what only some reports show is still to be filled in. */
struct view steps_view(struct steps *steps);

/* Writes the reports. Errors of damaged debug information are said before. */
int steps_write(struct steps *steps, const struct view *view);

/* When all is written: says in notes what a reader may need to know beside it. -1 also if any
 * error was said before. */
int steps_end(struct steps *steps);

#endif
