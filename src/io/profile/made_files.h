/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files in which a process tells the names of code that it made. */
#ifndef IO_PROFILE_MADE_FILES_H
#define IO_PROFILE_MADE_FILES_H

#include "base/diag.h"
#include "model/recorded.h"

/* The most bytes of a file that are read. */
enum { MADE_FILES_MOST_BYTES = 64 << 20 };

/* Where the files may be, beside /tmp; NULL: not known. */
struct made_places {
	const char *temporary; /* a directory */
	const char *dumps;     /* one with .debug/jit/NAME/jit-PID.dump, as Java's and LLVM's are */
};

/*
 * Names the functions of the recording's only process that are in no module, as its jit-PID.dump
 * and perf-PID.map tell; what both name, the dump does. Maps are in /tmp or in `temporary`, dumps
 * where an option in the process's command line says, there, too, in the working directory, or
 * below `dumps`. A file that is a link, is not the user's, or is older than the process is not
 * used, and of a long or damaged file only the beginning is: a warning says so. If the stacks have
 * no code without a module, nothing is opened.
 */
void made_files_read(struct recorded *rec, const struct made_places *places, struct arena *mem,
		     struct diag *diag);

#endif
