/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/image/debug_places.h"

#include "base/join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a build id. Linkers write 8 to 32. */
enum { LEAST_ID = 2, MOST_ID = 64 };

const char *debug_places_cache(struct arena *mem)
{
	const char *named = getenv("DEBUGINFOD_CACHE_PATH"), *home = getenv("HOME");
	const char *caches = getenv("XDG_CACHE_HOME"), *old;

	if (named && *named)
		return named;
	old = home && *home ? JOIN(mem, home, "/.debuginfod_client_cache") : NULL;
	if (old && access(old, F_OK) == 0)
		return old;
	if (caches && *caches)
		return JOIN(mem, caches, "/debuginfod_client");
	return old ? JOIN(mem, home, "/.cache/debuginfod_client") : NULL;
}

const char *debug_places_root(const struct debug_places *places, size_t i)
{
	size_t n = places ? places->roots.n : 0;

	if (i < n)
		return places->roots.at[i];
	return i == n ? "/usr/lib/debug" : NULL;
}

char *debug_places_by_id(const struct debug_places *places, size_t i, const unsigned char *id,
			 size_t n)
{
	const char *root = debug_places_root(places, i);
	const char *cache = places && i == places->roots.n + 1 ? places->cache : NULL;
	const char *directory = root ? root : cache;
	size_t size;
	char *path, *to;

	if (!directory || n < LEAST_ID || n > MOST_ID)
		return NULL;
	size = strlen(directory) + 2 * n + sizeof("/.build-id//.debug");
	path = to = malloc(size);
	if (!path)
		return NULL;
	to = stpcpy(stpcpy(to, directory), root ? "/.build-id/" : "/");
	for (size_t k = 0; k < n; k++)
		to += sprintf(to, root && k == 0 ? "%02x/" : "%02x", id[k]);
	strcpy(to, root ? ".debug" : "/debuginfo");
	return path;
}

char *debug_places_of_dwz(const struct debug_places *places, size_t i, const char *name)
{
	const char *root = debug_places_root(places, i), *below = strstr(name, "/.dwz/");
	char *path = root && below ? malloc(strlen(root) + strlen(below) + 1) : NULL;

	if (path)
		strcpy(stpcpy(path, root), below);
	return path;
}
