/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks for reasons to show nothing, at several steps before the reports. */
#ifndef RUN_COMMAND_CHECKS_H
#define RUN_COMMAND_CHECKS_H

#include "run/command/command.h"
#include "run/session/session.h"

/*
 * Whether a data file does not exist. If so, reports an error with the reason, as far as the
 * program shows it: for that, the program is read into the session, which must be open.
 */
bool checks_missing(struct session *s, const struct command *c);

/*
 * Returns -1 if an --entry names a function that has no entry because it was inlined wherever it is
 * called, with an error that names the command which shows it. Else returns 0. Reads debug
 * information only for names that are not found. session_symbolize() must have been called.
 */
int checks_entries(const struct session *s, const struct command *c);

/*
 * To be called when all debug information was read that the reports show. Warns if some of it is
 * damaged. Returns -1 with an error if only source lines were asked for and there are none, else 0.
 */
int checks_lines(const struct session *s, const struct command *c, unsigned reports);

#endif
