/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where separate debug files are looked for, by the build id of the file that they belong to. */
#ifndef IO_IMAGE_DEBUG_PLACES_H
#define IO_IMAGE_DEBUG_PLACES_H

#include "io/source.h"

#include <stddef.h>

struct debug_places {
	string_array roots; /* directories that are built as /usr/lib/debug is, tried before it */
	const char *cache;  /* where debuginfod's client keeps what it fetched, or NULL */
};

/*
 * Returns the directory in which the client of debuginfod keeps files, in mem: as its manual says,
 * from DEBUGINFOD_CACHE_PATH, XDG_CACHE_HOME and HOME. NULL if no variable names one.
 */
const char *debug_places_cache(struct arena *mem);

/*
 * Returns directory i of those with debug files: `roots`, then that of the system; NULL after the
 * last. `places` may be NULL: no roots.
 */
const char *debug_places_root(const struct debug_places *places, size_t i);

/*
 * Returns path i of those at which a debug file with this build id, of n bytes, may be, to be
 * freed: below each root, then in the cache. NULL after the last, or if n is not usual.
 */
char *debug_places_by_id(const struct debug_places *places, size_t i, const unsigned char *id,
			 size_t n);

/*
 * Returns path i of those at which the client of debuginfod may keep the source file `name` of what
 * has that build id, to be freed: as clients of elfutils before 0.192 name it, and then as later
 * ones do. NULL after the last.
 */
char *debug_places_source(const struct debug_places *places, size_t i, const unsigned char *id,
			  size_t n, const char *name);

/*
 * Returns path i of those at which a supplementary file that dwz has called `name` may be, to be
 * freed: if the name has a directory .dwz, as those of distributions have, the rest of it in that
 * of each root. NULL after the last.
 */
char *debug_places_of_dwz(const struct debug_places *places, size_t i, const char *name);

#endif
