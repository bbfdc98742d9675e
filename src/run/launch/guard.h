/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a crash of a library on a hostile file leaves of a run: a message. And who shows progress.
 */
#ifndef RUN_LAUNCH_GUARD_H
#define RUN_LAUNCH_GUARD_H

#include "base/diag.h"
#include "run/launch/recordings.h"

#include <stdbool.h>

/*
 * Divides the process: true in the child, which is to do the work on the object file `image` and to
 * exit. The parent waits for it; then it returns false, and the child's exit status in *status. If
 * a signal ended the child, then for one that users send, SIGPIPE among them, the parent removes
 * `passing`, if that is for the run alone, and ends by the same; for others *status is 1, with the
 * reason said. Where there can be no child that is an error, too. The signals of limits.h end the
 * child, whatever the caller has made of them.
 *
 * With `pages`, what is typed to end or stop a program is for the child and its pager, and if the
 * child ends without waiting for that, the parent does.
 *
 * If stderr is a terminal, diag->progress is set in the child, and the parent shows what it says.
 * Signals that end or stop the parent then find no line there.
 */
bool guard_begin(const char *image, bool pages, const struct recordings *passing, int *status,
		 struct diag *diag);

#endif
