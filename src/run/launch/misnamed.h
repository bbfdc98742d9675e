/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user probably meant by a command that cannot be run. */
#ifndef RUN_LAUNCH_MISNAMED_H
#define RUN_LAUNCH_MISNAMED_H

#include "base/arena.h"

/*
 * `command` is what --run was given, `error` why the kernel would not run it. Returns what to
 * append to the error: "; did you mean './words'?", what the file is instead of a program, or "".
 * It looks at the file, at its directory, and for a name without a slash at the directories of
 * PATH. The text lives in mem.
 */
const char *misnamed_hint(const char *command, int error, struct arena *mem);

#endif
