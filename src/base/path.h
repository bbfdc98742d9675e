/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of file names. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <string.h>

/* Returns the part of path after its last slash. */
static inline const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#endif
