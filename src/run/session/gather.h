/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the recordings of the processes of one run, some of which may have run other programs. */
#ifndef RUN_SESSION_GATHER_H
#define RUN_SESSION_GATHER_H

#include "run/session/input.h"

/*
 * Adds up the input's profiles in prof, which has a target and nothing else. Of the program
 * (`image`), all data are added; of other programs only the call stacks, with their executables as
 * if these were libraries of the program. A process that was killed, or still runs, has left only
 * counts; a record of it is made. Files that cannot be read are left out, with a warning that says
 * how much is missing. Results live in mem. Returns 0, or -1 after saying why nothing can be read.
 * Expected linear.
 */
int gather_read(struct profile *prof, const struct session_input *input, const struct image *image,
		struct arena *mem, struct diag *diag);

#endif
