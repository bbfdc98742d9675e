/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reasons not to show anything, which are looked for on the way to the reports. */
#ifndef RUN_COMMAND_CHECKS_H
#define RUN_COMMAND_CHECKS_H

#include "run/command/command.h"
#include "run/session/session.h"

/*
 * Whether a data file does not exist. Says so in an error, with the reason as far as the program
 * tells: then it is read into the session, which was opened.
 */
bool checks_missing(struct session *s, const struct command *c);

/*
 * -1 if an --entry names a function that has no entry, as it was inlined wherever it is called: an
 * error names the command that shows it. Else 0. Debug information is read only for names that are
 * not found. The session was symbolized.
 */
int checks_entries(const struct session *s, const struct command *c);

/*
 * When all debug information was read that is shown: warns if some of it is damaged. -1 with an
 * error if nothing but source lines was asked for, and there are none. Else 0.
 */
int checks_lines(const struct session *s, const struct command *c, unsigned reports);

#endif
