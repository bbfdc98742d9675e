/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of files. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <string.h>

/* What is behind the directories: part of path. */
static inline const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#endif
