/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said on standard error beside reports and exports. */
#ifndef RUN_COMMAND_NOTES_H
#define RUN_COMMAND_NOTES_H

#include "run/command/command.h"
#include "run/session/session.h"

/* A note if --inlined was asked for, and what is shown cannot have inlined functions without call
 * stacks. The session was symbolized. */
void notes_not_inlined(const struct session *s, const struct command *c, unsigned reports);

/* For -d: a line on what each step found. Linear in what was analysed. */
void notes_trace(const struct analysis *a, struct diag *diag);

/*
 * To be called after the reports were written: notes what they lack, and why. If a report has no
 * data, or data of another program, this looks for the cause as --explain does; else it is cheap.
 */
void notes_after(const struct session *s, const struct command *c, unsigned reports);

#endif
