/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers who held others up, with the names of locks and source lines. */
#ifndef RUN_COMMAND_BLAME_H
#define RUN_COMMAND_BLAME_H

#include "run/session/session.h"

/*
 * Whether the recording says who waited for locks, or that nobody did, of what the session shows:
 * not of one thread, or of a part of the time.
 */
bool blame_is_known(const struct session *s);

/*
 * Returns what each function held up, in s->mem, with names of locks in a style; NULL after an
 * error message: it was not recorded. Opens the programs and libraries that have locks, and reads
 * their symbols. session_analyze() must have been called.
 */
const struct blame *blame_gather(const struct session *s, enum demangle_style style,
				 struct diag *diag);

#endif
