/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does the work in a child process: if a library crashes there, the parent says so. The parent also
 * shows progress.
 */
#ifndef RUN_LAUNCH_GUARD_H
#define RUN_LAUNCH_GUARD_H

#include "base/diag.h"

#include <stdbool.h>

/*
 * Forks. Returns true in the child, which is to read the object file `image`, do the work, and
 * exit. The parent waits for it, and then returns false, with the child's exit status in *status;
 * it is 1, with the reason said, if there can be no child, or if a signal ended it. But if users
 * send that signal, as SIGINT or SIGPIPE, the parent ends by the same signal. The signals of
 * limits.h end the child, whatever the caller does with them.
 *
 * With `pages`, signals of the keyboard are for the child and its pager; if the child ends before
 * the pager, the parent waits for the pager.
 *
 * If stderr is a terminal, diag->progress is set in the child, and the parent shows it. The line is
 * erased before a signal ends or stops the parent.
 */
bool guard_begin(const char *image, bool pages, int *status, struct diag *diag);

#endif
