/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the file that a command runs, and whether a library can be loaded into it. */
#ifndef RUN_LAUNCH_RUNNABLE_H
#define RUN_LAUNCH_RUNNABLE_H

#include "base/arena.h"
#include "base/diag.h"

#include <stdbool.h>
#include <sys/types.h>

/* Exit statuses of shells: for a command that cannot be run, and for one that does not exist. */
enum { RUNNABLE_REFUSED = 126, RUNNABLE_MISSING = 127 };

struct runnable {
	const char *path; /* the file to run: the program, or a script */
	const char *
		image; /* the executable that then runs: the program, or the script's interpreter */
	dev_t device;  /* device of the image */
	ino_t inode;
};

/*
 * Finds the file that `command` names, as execvp() does, and reads its first bytes. Strings live in
 * mem, or are `command`. Returns 0, or the exit status with which a shell would refuse the command,
 * after saying why.
 */
int runnable_find(struct runnable *found, const char *command, struct arena *mem,
		  struct diag *diag);

/*
 * Whether the loader would load `library` into the process. If not, says why, and what to do: the
 * program is linked statically, is for another machine or C library, or would have privileges.
 */
bool runnable_takes(const struct runnable *found, const char *library, struct diag *diag);

#endif
