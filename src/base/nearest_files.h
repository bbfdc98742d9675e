/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggests files whose names are spelled similarly to one that does not exist. */
#ifndef BASE_NEAREST_FILES_H
#define BASE_NEAREST_FILES_H

#include "base/nearest.h"

#include <stdbool.h>

/*
 * Offers the names, without directory, of the files in a directory that `accepts` takes, which gets
 * their paths; NULL takes all. A directory that cannot be read has none. The names live in mem.
 */
void nearest_files_offer(struct nearest_search *search, const char *directory,
			 bool (*accepts)(const char *path), struct arena *mem);

/*
 * Returns "; did you mean 'dir/b'?" with the files most similar to `path` in its directory, or "".
 * `here` is put before names if path has no directory: "./" or "". O(entries of the directory).
 */
const char *nearest_files_question(const char *path, const char *here,
				   bool (*accepts)(const char *path), struct arena *mem);

/* Whether the path is of a regular file that may be executed: for `accepts`. */
bool nearest_files_is_program(const char *path);

#endif
