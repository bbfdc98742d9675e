/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recordings of the processes of one run, some of which ran other programs. */
#ifndef RUN_SESSION_GATHER_H
#define RUN_SESSION_GATHER_H

#include "run/session/input.h"

/*
 * Adds up the profiles of the input in prof, which has a target and nothing else: those of the
 * program, of which the image is, whole; of others the call stacks, with their executables as if
 * they were libraries of it. A process that was killed, or still runs, has left counts alone, and
 * gets a record. What cannot be read is left out, with a warning that says how much that is.
 * Results live in mem. 0, or -1 with the reason said if nothing can be read. Expected linear.
 */
int gather_read(struct profile *prof, const struct session_input *input, const struct image *image,
		struct arena *mem, struct diag *diag);

#endif
