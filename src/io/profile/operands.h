/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what the user named to the data files that are to be read. */
#ifndef IO_PROFILE_OPERANDS_H
#define IO_PROFILE_OPERANDS_H

#include "base/array.h"
#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>

struct data_file {
	const char *path;
	bool in_directory; /* not named itself */
};

/* One file, or all the files of a directory: files [first, end) of the list. */
struct operand {
	const char *path;
	bool is_directory;
	bool has_sum; /* a directory with a gmon.sum, which is not among its files */
	size_t first, end;
	size_t nothers; /* links to nowhere, sockets and the like, which are not either */
	/* Nor are those that libgmon was writing, as their names say: how many, and the first's. */
	size_t nunfinished;
	const char *unfinished;
};

struct data_files {
	ARRAY(struct data_file) list;
	ARRAY(struct operand) operands;
	bool all_regular; /* none is a pipe, so all can be read twice */
};

/*
 * The files that n operands name, in that order, those of a directory by name, in mem. Files of
 * directories may be anything but NAME.ext, of which nothing is said, and so it is if NAME and
 * NAME.ext are both named. 0, or -1 with the reason said. n log n.
 */
int operands_expand(struct data_files *files, const char *const *operands, size_t n,
		    struct arena *mem, struct diag *diag);

#endif
