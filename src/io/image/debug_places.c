/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/image/debug_places.h"

#include "base/join.h"

#include <limits.h>
#include <stdint.h>
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

/* "/a/b#c" is kept as "##a##b#_c". */
static char *debug_places_put_escaped(char *to, const char *name)
{
	for (; *name; name++) {
		if (*name == '/' || *name == '#')
			*to++ = '#';
		*to++ = (char)(*name == '/' ? '#' : *name == '#' ? '_' : *name);
	}
	return to;
}

/* "/a/b#c" is kept as "-", a hash of it, and "-#a#b#c", from which the beginning is cut that is too
 * long. The hash is Bernstein's of 32 bits. */
static char *debug_places_put_hashed(char *to, const char *name)
{
	enum { MOST = NAME_MAX / 2 - 1, HASHED = 9 };
	size_t n = strlen(name), kept = n < MOST - HASHED ? n : MOST - HASHED;
	uint32_t hash = 5381;

	for (size_t i = 0; i < n; i++)
		hash = hash * 33 + (uint32_t)name[i];
	to += sprintf(to, "-%08x-", hash);
	for (name += n - kept; *name; name++) {
		bool plain = (*name >= '0' && *name <= '9') || (*name >= 'a' && *name <= 'z') ||
			     (*name >= 'A' && *name <= 'Z') || strchr("._-", *name);

		*to++ = (char)(plain ? *name : '#');
	}
	return to;
}

char *debug_places_source(const struct debug_places *places, size_t i, const unsigned char *id,
			  size_t n, const char *name)
{
	size_t size;
	char *path, *to;

	if (!places || !places->cache || i > 1 || n < LEAST_ID || n > MOST_ID)
		return NULL;
	size = strlen(places->cache) + 2 * n + 2 * strlen(name) + sizeof("//source-01234567-");
	path = to = malloc(size);
	if (!path)
		return NULL;
	to = stpcpy(stpcpy(to, places->cache), "/");
	for (size_t k = 0; k < n; k++)
		to += sprintf(to, "%02x", id[k]);
	to = stpcpy(to, "/source");
	to = i == 0 ? debug_places_put_escaped(to, name) : debug_places_put_hashed(to, name);
	*to = '\0';
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
