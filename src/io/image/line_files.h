/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that the header of a line program names. */
#ifndef IO_IMAGE_LINE_FILES_H
#define IO_IMAGE_LINE_FILES_H

#include "base/array.h"
#include "io/image/line_header.h"

struct line_file {
	const char *name;      /* as it is in the header: of the program's bytes, or a constant */
	const char *directory; /* the same, or NULL: the name stands alone */
	const char *path;      /* NULL; for who makes one of them */
};

/* All zeros is an empty one. The memory of one serves for the next. */
struct line_files {
	ARRAY(struct line_file) all; /* by the numbers that rows have for them */
	ARRAY(const char *) directories;
};

/*
 * Reads those of a program whose unit was compiled in `directory`, or NULL: nobody knows. Takes
 * the number of files and directories off *most, and reads no more than that. False if there is
 * something that compilers do not write, or more. Linear.
 */
bool line_files_read(struct line_files *files, const struct line_program *program,
		     const struct line_header *header, const char *directory, uint64_t *most,
		     struct arena *mem);

#endif
