/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes on standard error beside reports and exports. */
#ifndef RUN_COMMAND_NOTES_H
#define RUN_COMMAND_NOTES_H

#include "run/command/command.h"
#include "run/session/session.h"

/*
 * Notes that --inlined has no effect because the reports cannot show inlined functions without call
 * stacks. session_symbolize() must have been called.
 */
void notes_not_inlined(const struct session *s, const struct command *c, unsigned reports);

/* For -d: writes a line on the result of each step. Linear in the analysis. */
void notes_trace(const struct analysis *a, struct diag *diag);

/*
 * To be called after the reports were written: notes what they lack, and why. If a report has no
 * data, or data of another program, looks for the cause as --explain does; else it is cheap.
 */
void notes_after(const struct session *s, const struct command *c, unsigned reports);

#endif
