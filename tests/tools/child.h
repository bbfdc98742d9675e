/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tools that run other programs share.
 */
#ifndef TESTS_TOOLS_CHILD_H
#define TESTS_TOOLS_CHILD_H

#include <stdint.h>
#include <sys/resource.h>

/* Exit statuses as shells have them: the program cannot be run; this machine lacks what it takes.
 */
enum { CHILD_CANNOT_RUN = 127, CHILD_UNAVAILABLE = 77 };

/* Both limits of a resource of setrlimit(2), for this process and those it becomes or makes. */
void child_limit(int resource, uint64_t value);

double child_seconds(struct timeval t);

/* A file without a name, closed on exec, in TMPDIR or /tmp; ends the program if it cannot be made.
 */
int child_scratch_file(void);

#endif
