/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the files that the header of a line program names. */
#ifndef IO_IMAGE_LINE_FILES_H
#define IO_IMAGE_LINE_FILES_H

#include "base/array.h"
#include "io/image/line_header.h"

struct line_file {
	const char *name; /* as in the header: points into the program's bytes, or is a constant */
	const char *directory; /* as in the header, or NULL */
	const char *path;      /* NULL at first; callers may set it to the full path */
};

/* All zeros is an empty list. Its memory is used again for the next program. */
struct line_files {
	ARRAY(struct line_file) all; /* indexed by the file numbers in rows */
	ARRAY(const char *) directories;
};

/*
 * Reads the files of a program whose unit was compiled in `directory` (NULL: not known). Reads at
 * most *most files and directories, and subtracts their number from it. Returns false if there are
 * more, or the header has something that no compiler writes. Linear.
 */
bool line_files_read(struct line_files *files, const struct line_program *program,
		     const struct line_header *header, const char *directory, uint64_t *most,
		     struct arena *mem);

#endif
