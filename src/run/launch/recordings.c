/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/launch/recordings.h"

#include "base/join.h"
#include "base/path.h"
#include "gmon_ext.h"
#include "gmon_live.h"
#include "gmon_out.h"
#include "io/profile/ext_name.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char live[] = ".live"; /* the end of names of live counts, in a directory */

/*
 * Returns an absolute path in the syntax of GMON's file pattern; NULL if it cannot be written so.
 */
static const char *recordings_spell(const char *path, struct arena *mem)
{
	char directory[PATH_MAX] = "";
	size_t bytes, n = 0;
	char *pattern;

	if (path[0] != '/' && !getcwd(directory, sizeof(directory) - 1))
		return NULL;
	if (path[0] != '/')
		strcat(directory, "/");
	bytes = 2 * (strlen(directory) + strlen(path)) + 1;
	pattern = arena_alloc(mem, bytes, 1);
	for (int part = 0; part < 2; part++) {
		for (const char *c = part ? path : directory; *c; c++) {
			if (*c == ',')
				return NULL;
			if (*c == '%')
				pattern[n++] = '%';
			pattern[n++] = *c;
		}
	}
	return pattern;
}

static bool recordings_is_dot(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool recordings_is_directory(const char *keep)
{
	size_t n = strlen(keep);
	struct stat st;

	return (n > 0 && keep[n - 1] == '/') || (stat(keep, &st) == 0 && S_ISDIR(st.st_mode));
}

/* Makes a new directory, or accepts an empty one. */
static int recordings_place_directory(const char *keep, struct diag *diag)
{
	bool empty = true;
	struct dirent *entry;
	DIR *dir;

	if (mkdir(keep, 0777) == 0)
		return 0;
	dir = errno == EEXIST ? opendir(keep) : NULL;
	if (!dir) {
		diag_error(diag, "%s: %s", keep, strerror(errno));
		return -1;
	}
	while (empty && (entry = readdir(dir)))
		empty = recordings_is_dot(entry->d_name);
	closedir(dir);
	if (!empty)
		diag_error(diag, "%s: is not empty: keep= needs a directory for this run alone",
			   keep);
	return empty ? 0 : -1;
}

/* Whether a regular file begins with some text, which no other text follows; an empty one does. */
static bool recordings_begins(const char *path, const char *text)
{
	size_t length = strlen(text);
	char start[16];
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, start, length + 1);

	if (fd >= 0)
		close(fd);
	return n == 0 || (n == (ssize_t)length + 1 && memcmp(start, text, length) == 0 &&
			  start[length] < ' ');
}

/* Says why a file that the user names for the recording must not be replaced: only a profile of the
 * user's own may be, which stays until there is a new one. */
static int recordings_check(const char *path, const char *text, struct diag *diag)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return 0;
	if (!S_ISREG(st.st_mode) || !recordings_begins(path, text)) {
		diag_error(diag, "%s: exists and is no profile: --run does not replace it", path);
		return -1;
	}
	if (st.st_uid == geteuid())
		return 0;
	diag_error(diag, "%s: exists and is another user's: --run does not replace it", path);
	return -1;
}

static int recordings_place_file(const char *keep, struct arena *mem, struct diag *diag)
{
	const char *slash = strrchr(keep, '/');
	const char *directory = slash ? arena_strndup(mem, keep, (size_t)(slash - keep) + 1) : ".";

	if (recordings_check(keep, GMON_MAGIC, diag) < 0 ||
	    recordings_check(JOIN(mem, keep, GMON_EXT_SUFFIX), GMON_EXT_MAGIC, diag) < 0)
		return -1;
	if (access(directory, W_OK | X_OK) == 0)
		return 0;
	diag_error(diag, "%s: %s", keep, strerror(errno));
	return -1;
}

int recordings_place(struct recordings *r, const char *keep, bool alone, struct arena *mem,
		     struct diag *diag)
{
	bool many = keep && !alone && recordings_is_directory(keep);

	*r = (struct recordings){ 0 };
	if (!keep)
		return windows_make(&r->windows, diag);
	if (!recordings_spell(keep, mem)) {
		diag_error(diag, "%s: --run cannot write there", keep);
		return -1;
	}
	r->directory = many ? keep : NULL;
	r->file = many ? NULL : keep;
	if ((many ? recordings_place_directory(keep, diag)
		  : recordings_place_file(keep, mem, diag)) < 0)
		return -1;
	return windows_make(&r->windows, diag);
}

void recordings_add_run(struct recordings *r, uint64_t first, struct arena *mem)
{
	windows_find(&r->used, &r->windows, first, mem);
	while (r->run_of.n < r->used.n)
		array_push(mem, &r->run_of) = r->nruns;
	r->nruns++;
}

void recordings_drop_run(struct recordings *r)
{
	r->nruns--;
	while (r->run_of.n > 0 && r->run_of.at[r->run_of.n - 1] == r->nruns)
		r->run_of.n--;
	r->used.n = r->run_of.n;
}

const char *recordings_pattern(const struct recordings *r, struct arena *mem)
{
	if (r->file)
		return recordings_spell(r->file, mem);
	return JOIN(mem, recordings_spell(r->directory, mem), "/%e.%p");
}

static bool recordings_ends(const char *name, const char *end)
{
	size_t n = strlen(name), len = strlen(end);

	return n > len && strcmp(name + n - len, end) == 0;
}

/* Adds a recording or, if there is none, the live counts of its process. */
static void recordings_add(struct recordings *r, const char *path, struct arena *mem)
{
	const char *counts = JOIN(mem, path, live);

	if (access(path, F_OK) == 0)
		array_push(mem, &r->list) = path;
	else if (access(counts, F_OK) == 0)
		array_push(mem, &r->list) = counts;
}

static int recordings_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void recordings_find(struct recordings *r, struct arena *mem)
{
	DIR *dir = opendir(r->directory);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *path = JOIN(mem, r->directory, "/", entry->d_name);
		size_t n = strlen(path);

		if (recordings_is_dot(entry->d_name) || ext_name_profile(path) > 0 ||
		    recordings_ends(path, ".tmp"))
			continue;
		if (recordings_ends(path, live)) {
			path = arena_strndup(mem, path, n - strlen(live));
			if (access(path, F_OK) == 0)
				continue;
		}
		recordings_add(r, path, mem);
	}
	if (dir)
		closedir(dir);
	if (r->list.n > 0)
		qsort(r->list.at, r->list.n, sizeof(*r->list.at), recordings_compare);
}

/* Whether a recording can have this name: nothing has it, and nothing lies where its stacks go. */
static bool recordings_is_free(const char *name, struct arena *mem)
{
	struct stat st;

	return lstat(name, &st) < 0 && lstat(JOIN(mem, name, GMON_EXT_SUFFIX), &st) < 0;
}

static const char *recordings_number(const char *name, size_t i, struct arena *mem)
{
	return i > 0 ? join_format(mem, "%s.%zu", name, i) : name;
}

const char *recordings_name(const struct recordings *r, size_t i, const char *program, unsigned pid,
			    struct arena *mem, struct diag *diag)
{
	const char *name = r->file, *wanted, *found;

	if (r->directory) {
		name = join_format(mem, "%s/%s.%u", r->directory, path_base(program), pid);
		i = 0;
	} else if (i == 0) {
		return name;
	}
	found = wanted = recordings_number(name, i, mem);
	while (!recordings_is_free(found, mem))
		found = recordings_number(name, ++i, mem);
	if (!r->directory && found != wanted)
		diag_note(diag, "%s is not of this run, so a recording is in %s", wanted, found);
	return found;
}
