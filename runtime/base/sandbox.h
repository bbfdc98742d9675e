/* SPDX-License-Identifier: MIT */
/*
 * Programs that put a filter of system calls on themselves when they have started: from then on a
 * call that nobody foresaw may kill. What is not needed is left undone; the rest is what programs
 * do anyway: memory for a thread, and writing a file.
 *
 * Nobody is told of a filter, and asking is a system call, too: prctl(). Most filters allow it.
 */
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

#include <stdbool.h>

/* Once, before the program runs: notes what filters there are. Without this, none is ever seen. */
void sandbox_start(void);

/*
 * Whether a filter has come since; where there was one at the start, whether the process has given
 * up new privileges, which nearly all do who add one. One system call, none once it is
 * true. Async-signal-safe.
 */
bool sandbox_closed(void);

/* Whether sandbox_closed() was true before. */
bool sandbox_was_closed(void);

#endif
