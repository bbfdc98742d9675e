/* SPDX-License-Identifier: MIT */
/*
 * Some programs restrict their own system calls by a filter (seccomp) after they have started. From
 * then on, a call that the filter's author did not expect may kill the process. So we then leave
 * out all calls that are not needed; what remains are calls that programs make anyway, for memory
 * and for writing a file.
 *
 * The kernel notifies nobody of a filter, and asking is a system call as well, prctl(), which most
 * filters allow.
 */
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

#include <stdbool.h>

/* Once, before the program runs: notes whether there is a filter. Without this, none is noticed. */
void sandbox_start(void);

/*
 * Whether a filter was added since the start. If there already was one at the start: whether the
 * process has set no_new_privs since, as nearly all that add a filter do. One system call; none
 * once the answer is true. Async-signal-safe.
 */
bool sandbox_closed(void);

/* From here on sandbox_closed() is true, and makes no system call. */
void sandbox_close(void);

/* Whether sandbox_closed() has returned true before. No system call. */
bool sandbox_was_closed(void);

/*
 * Whether a call that looks at processes, as debuggers do, may kill: since sandbox_was_closed(), or
 * in a process that had a filter and no_new_privs from the start. Filters around whole programs
 * often forbid just these. No system call.
 */
bool sandbox_forbids_looking(void);
#endif
