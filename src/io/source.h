/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source files, found along a search path. */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include "base/array.h"
#include "base/diag.h"
#include "model/source.h"

typedef ARRAY(const char *) string_array;

/* Adds the directories of a list with colons between them, in mem. */
void source_add_path(string_array *path, const char *list, struct arena *mem);

/*
 * Reads the file of that name: as it is named; or if that fails, below each directory of the path,
 * unless the name is absolute; or by its last part in each of them. The bytes live in mem. Nothing,
 * and a warning, if there is none.
 */
struct source_text source_read(const char *name, const string_array *path, struct arena *mem,
			       struct diag *diag);

#endif
