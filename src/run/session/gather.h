/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recordings of the processes of one run, some of which ran other programs. */
#ifndef RUN_SESSION_GATHER_H
#define RUN_SESSION_GATHER_H

#include "base/diag.h"
#include "io/image/image.h"
#include "model/profile.h"

struct gather_input {
	const char *const *files; /* which must live as long as the profile */
	size_t nfiles;
	const struct image *image; /* of the program */
	const char *path;          /* of that */
	int main_pid, main_status; /* as in session.h */
};

/*
 * Adds up in prof, which has a target and nothing else, all files: those of the program whole, of
 * others the call stacks, with their executables as if they were libraries of it. A process of
 * which there are counts alone, as it was killed or goes on, gets a record. What cannot be read is
 * left out, with a warning that tells how much that is. Results live in mem. 0, or -1 with the
 * reason said if nothing can be read. Expected linear.
 */
int gather_read(struct profile *prof, const struct gather_input *input, struct arena *mem,
		struct diag *diag);

#endif
