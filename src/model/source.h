/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts by source line, and the text that they annotate. */
#ifndef MODEL_SOURCE_H
#define MODEL_SOURCE_H

#include "model/symtab.h"

#include <stdbool.h>

/* A line with code of one or more symbols. */
struct source_line {
	unsigned line;   /* from 1 */
	sym_id first;    /* by address */
	bool is_shared;  /* there are more symbols */
	uint64_t ncalls; /* of all its symbols, from other functions */
};

struct source_file {
	const char *name;               /* as debug information has it */
	const struct source_line *line; /* ascending, at least one */
	size_t nlines;
	uint64_t ncalls; /* of all lines */
};

/* In the reverse order in which the symbols name them first. */
struct source_files {
	const struct source_file *file;
	size_t n;
};

/* A source file as it was found; bytes is NULL if it was not. */
struct source_text {
	const char *bytes;
	size_t size;
	unsigned rights; /* permissions for files with its text: nobody may read these who may not
			    read it */
};

/* Whether a report has the file: anything in it was called, or all files are asked for. */
static inline bool source_is_listed(const struct source_file *file, bool zeros)
{
	return zeros || file->ncalls != 0;
}

#endif
