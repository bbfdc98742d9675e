/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source files, found along a search path. */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include "base/array.h"
#include "base/diag.h"
#include "io/fileids.h"
#include "model/source.h"

typedef ARRAY(const char *) string_array;

/* Adds the directories of a list with colons between them, in mem. */
void source_add_path(string_array *path, const char *list, struct arena *mem);

/* Where source files are looked for, and what becomes of what is found. */
struct source_search {
	const string_array *path; /* directories that the user named */
	bool quiet;               /* no word of a file that is not found or not shown */
	file_ids *read;           /* gets those that were read, */
	struct arena *mem;        /* in here */
};

/*
 * Reads the file of that name: as it is named; or if that fails, below each directory of the path,
 * unless the name is absolute; or by its last part in each of them.
 *
 * Whoever made a program chose the names, so what they may show is bounded: regular files of text
 * without null bytes, which everybody may read by their permissions; others only if they lie, all
 * links followed, below a directory of the path, or below the current one where that is not the
 * root, with no part of the way beginning with a dot.
 *
 * The bytes live in mem. Nothing, and a warning, if there is no such file; nothing, and an error,
 * if it cannot be read to its end.
 */
struct source_text source_read(const char *name, const struct source_search *search,
			       struct arena *mem, struct diag *diag);

#endif
