/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches a directory for the names that libgmon gives. Linear in its entries. */
#include "config.h"

#include "io/profile/nearby.h"

#include "base/array.h"
#include "base/path.h"
#include "io/file.h"
#include "io/profile/gmon_read.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_NEARBY = 256 };

typedef ARRAY(struct nearby_profile) nearby_array;

/* The directory of a file, with the final slash, and the rest of the file's path. */
struct nearby_place {
	const char *path, *base;
	size_t ndir;
	struct arena *mem;
};

static struct nearby_place nearby_place_of(const char *path, struct arena *mem)
{
	const char *base = path_base(path);

	return (struct nearby_place){ path, base, (size_t)(base - path), mem };
}

static DIR *nearby_open(const struct nearby_place *place)
{
	return opendir(place->ndir > 0 ? arena_strndup(place->mem, place->path, place->ndir) : ".");
}

static const char *nearby_path(const struct nearby_place *place, const char *name)
{
	size_t n = strlen(name) + 1;
	char *path = arena_array(place->mem, char, place->ndir + n);

	memcpy(path, place->path, place->ndir);
	memcpy(path + place->ndir, name, n);
	return path;
}

/* Returns the part of a directory entry's name after the file's name and a dot, or NULL. */
static const char *nearby_rest(const struct nearby_place *place, const struct dirent *entry)
{
	size_t n = strlen(place->base);

	if (entry->d_type != DT_REG || strncmp(entry->d_name, place->base, n) != 0 ||
	    entry->d_name[n] != '.')
		return NULL;
	return entry->d_name + n + 1;
}

static bool nearby_is_number(const char *text)
{
	return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* Sets the range of addresses that have samples, or could have some. */
static void nearby_range(const struct profile *prof, uint64_t *lo, uint64_t *hi)
{
	*lo = UINT64_MAX;
	*hi = 0;
	for (size_t i = 0; i < prof->hists.n; i++) {
		*lo = prof->hists.at[i].lo < *lo ? prof->hists.at[i].lo : *lo;
		*hi = prof->hists.at[i].hi > *hi ? prof->hists.at[i].hi : *hi;
	}
}

/*
 * Reads the file. Returns false if it cannot be read, or if `like` is not NULL and has another
 * range of addresses.
 */
static bool nearby_read(struct nearby_profile *file, const struct target *target,
			const struct profile *like, const struct arena *mem)
{
	struct diag silent = diag_silent(NULL);
	struct arena scratch = arena_scratch(mem);
	struct profile_sum sum = { .prof.target = *target, .mem = &scratch };
	struct file bytes = { 0 };
	bool fits =
		file_read_regular(&bytes, file->path, NULL, NULL, &silent) == 0 &&
		gmon_read(&sum, GMON_CURRENT, bytes.bytes, bytes.size, file->path, &silent) == 0;

	if (fits && like) {
		uint64_t lo, hi, own_lo, own_hi;

		nearby_range(like, &lo, &hi);
		nearby_range(&sum.prof, &own_lo, &own_hi);
		fits = lo == own_lo && hi == own_hi;
	}
	if (fits)
		file->ticks = profile_ticks(&sum.prof);
	file_free(&bytes);
	arena_free(&scratch);
	return fits;
}

static int nearby_compare(const void *x, const void *y)
{
	const struct nearby_profile *a = x, *b = y;

	if (a->ticks != b->ticks)
		return a->ticks < b->ticks ? 1 : -1;
	return strcmp(a->path, b->path);
}

static size_t nearby_sort(nearby_array *found)
{
	if (found->n > 0)
		qsort(found->at, found->n, sizeof(*found->at), nearby_compare);
	return found->n;
}

void nearby_find(struct evidence *e, const struct profile *prof, struct arena *mem)
{
	struct nearby_place place = nearby_place_of(prof->files.at[0].name, mem);
	nearby_array libraries = { 0 }, children = { 0 };
	struct stat own, other;
	DIR *dir = stat(place.path, &own) == 0 ? nearby_open(&place) : NULL;
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *rest = nearby_rest(&place, entry);
		bool is_child = rest && nearby_is_number(rest);
		nearby_array *list = is_child ? &children : &libraries;
		struct nearby_profile file = { 0 };

		/* With more text after the number, the file is that of a child's library. */
		if (!rest || list->n == MAX_NEARBY ||
		    (!is_child && (!strstr(rest, ".so") || nearby_is_number((char[]){ *rest, 0 }))))
			continue;
		file.path = nearby_path(&place, entry->d_name);
		if (!is_child && (stat(file.path, &other) < 0 || file_is_newer(&own, &other)))
			continue;
		if (nearby_read(&file, &prof->target, is_child ? prof : NULL, mem) &&
		    (is_child || file.ticks > 0))
			array_push(mem, list) = file;
	}
	if (dir)
		closedir(dir);
	e->nlibraries = nearby_sort(&libraries);
	e->libraries = libraries.at;
	e->nchildren = nearby_sort(&children);
	e->children = children.at;
}

const char *nearby_instead(const char *missing, const char *program, struct arena *mem)
{
	struct nearby_place place = nearby_place_of(missing, mem);
	struct nearby_place beside = nearby_place_of(program, mem);
	const char *found = nearby_path(&beside, place.base);
	const struct dirent *entry;
	struct stat st, newest;
	DIR *dir;

	if (stat(found, &st) == 0 && S_ISREG(st.st_mode))
		return found;
	found = NULL;
	dir = nearby_open(&place);
	while (dir && (entry = readdir(dir))) {
		const char *rest = nearby_rest(&place, entry), *path;

		if (!rest || !nearby_is_number(rest))
			continue;
		path = nearby_path(&place, entry->d_name);
		if (stat(path, &st) < 0 || (found && !file_is_newer(&st, &newest)))
			continue;
		newest = st;
		found = path;
	}
	if (dir)
		closedir(dir);
	return found;
}
