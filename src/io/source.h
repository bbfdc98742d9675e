/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and reads source files along a search path. */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include "base/array.h"
#include "base/diag.h"
#include "io/fileids.h"
#include "model/source.h"

typedef ARRAY(const char *) string_array;

/* Adds the directories of a colon-separated list, in mem. */
void source_add_path(string_array *path, const char *list, struct arena *mem);

/* A file with the text of a source file that is not on this machine. */
struct source_copy {
	const char *name; /* as debug information has it */
	const char *path;
};
typedef ARRAY(struct source_copy) source_copies;

/* The most bytes of a copy that are read. */
enum { SOURCE_COPY_BYTES = 64 << 20 };

/* Where source files are searched for. */
struct source_search {
	const string_array *path;    /* directories that the user named */
	bool quiet;                  /* no warning if a file is not found or not shown */
	file_ids *read;              /* gets the files that were read */
	struct arena *mem;           /* memory for `read` */
	const source_copies *copies; /* of files that are not found there; or NULL */
};

/*
 * Reads a source file by its name; if that fails and the name is relative, below each directory of
 * the path; or by the last part of its name in each of them. If it is in none, its copy is read, a
 * regular file.
 *
 * Whoever made the program chose the names, so what can be shown is restricted: regular text files
 * without NUL bytes whose permissions let everybody read them, in directories that everybody, this
 * user as their owner, or one of the user's groups may search: root has no right of its own. Other
 * files are read only if, all links resolved, they are below a directory of the path, or below the
 * current one unless that is the root, and no part of the way begins with a dot.
 *
 * The bytes live in mem. Returns nothing, after a warning, if there is no such file; or after an
 * error, if it cannot be read to its end.
 */
struct source_text source_read(const char *name, const struct source_search *search,
			       struct arena *mem, struct diag *diag);

/*
 * Whether there is a file of that name, so that nobody has to look for a copy of it; true also of
 * one that source_read() may not show.
 */
bool source_is_here(const char *name, const struct source_search *search, const struct arena *mem);

#endif
