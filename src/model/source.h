/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts by source line, and the text that they annotate. */
#ifndef MODEL_SOURCE_H
#define MODEL_SOURCE_H

#include "model/symtab.h"

#include <stdbool.h>

/* A line with code of one or more symbols. */
struct source_line {
	unsigned line;   /* from 1 */
	sym_id first;    /* the symbol with the lowest address */
	bool is_shared;  /* there are more symbols than `first` */
	uint64_t ncalls; /* calls of all its symbols by other functions */
};

struct source_file {
	const char *name;               /* as in debug information */
	const struct source_line *line; /* sorted by line, at least one */
	size_t nlines;
	uint64_t ncalls; /* of all lines */
};

/* In the reverse of the order in which the symbols first mention them. */
struct source_files {
	const struct source_file *file;
	size_t n;
};

/* The text of a source file; bytes is NULL if the file was not found. */
struct source_text {
	const char *bytes;
	size_t size;
	unsigned rights; /* permissions for files that contain the text: they must not be readable
			    for more users than the source file */
};

/* Whether a report includes the file: a function in it was called, or all files are asked for. */
static inline bool source_is_listed(const struct source_file *file, bool zeros)
{
	return zeros || file->ncalls != 0;
}

#endif
