/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts by source line, and the text that they annotate. */
#ifndef MODEL_SOURCE_H
#define MODEL_SOURCE_H

#include "model/symtab.h"

#include <stdbool.h>

/* A line with code: all symbols that stand there. */
struct source_line {
	unsigned line;   /* from 1 */
	sym_id first;    /* by address */
	bool is_shared;  /* there are more of them */
	uint64_t ncalls; /* of all of them, from other functions */
};

struct source_file {
	const char *name;               /* as debug information has it */
	const struct source_line *line; /* ascending, at least one */
	size_t nlines;
	uint64_t ncalls; /* of all lines */
};

/* The file that a symbol first named last comes first. */
struct source_files {
	const struct source_file *file;
	size_t n;
};

/* A source file as it was found; bytes is NULL if it was not. */
struct source_text {
	const char *bytes;
	size_t size;
	unsigned rights; /* permissions that a file with its text may have, so that no one else
			    reads it */
};

/* Whether a report has the file: anything in it was called, or all files are asked for. */
static inline bool source_is_listed(const struct source_file *file, bool zeros)
{
	return zeros || file->ncalls != 0;
}

#endif
