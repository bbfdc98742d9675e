/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which file a command runs, and whether a library can be loaded into it beforehand. */
#ifndef RUN_LAUNCH_RUNNABLE_H
#define RUN_LAUNCH_RUNNABLE_H

#include "base/arena.h"
#include "base/diag.h"

#include <stdbool.h>
#include <sys/types.h>

/* As the shell has them: of a command that cannot be run, and of one that does not exist. */
enum { RUNNABLE_REFUSED = 126, RUNNABLE_MISSING = 127 };

struct runnable {
	const char *path;  /* of the file to run: the program, or a script */
	const char *image; /* of the one that then runs: the same, or the script's interpreter */
	dev_t device;      /* of the image */
	ino_t inode;
};

/*
 * Finds the file that `command` names, as execvp() does, and looks at it. Strings live in mem, or
 * are `command`. 0, or the exit status with which a shell refuses it, with the reason said.
 */
int runnable_find(struct runnable *found, const char *command, struct arena *mem,
		  struct diag *diag);

/*
 * Whether the loader would take `library` into the process; if not, the reason is said, and what
 * to do: it is linked statically, or for another machine or C library, or it would have privileges.
 */
bool runnable_takes(const struct runnable *found, const char *library, struct diag *diag);

#endif
