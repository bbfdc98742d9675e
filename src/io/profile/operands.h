/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns the operands of the command line into a list of data files. */
#ifndef IO_PROFILE_OPERANDS_H
#define IO_PROFILE_OPERANDS_H

#include "base/array.h"
#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>

struct data_file {
	const char *path;
	bool in_directory; /* found in a directory, not named by the user */
};

/* One file, or all the files of a directory: files [first, end) of the list. */
struct operand {
	const char *path;
	bool is_directory;
	bool has_sum; /* it is a directory with a gmon.sum, which is not among the files */
	size_t first, end;
	size_t nothers; /* broken links, sockets and the like, which are not among the files */
	/*
	 * Files whose names say that libgmon was writing them; they are not among the files: their
	 * number, and the first.
	 */
	size_t nunfinished;
	const char *unfinished;
};

struct data_files {
	ARRAY(struct data_file) list;
	ARRAY(struct operand) operands;
	bool all_regular; /* none is a pipe, so all files can be read again */
};

/*
 * Lists the files that n operands name, in that order, those of a directory sorted by name, in mem.
 * Files in directories may be of any kind, except NAME.ext, which is skipped silently; also where
 * NAME and NAME.ext are both operands. Returns 0, or -1 after an error message. n log n.
 */
int operands_expand(struct data_files *files, const char *const *operands, size_t n,
		    struct arena *mem, struct diag *diag);

#endif
