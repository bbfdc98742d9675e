/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/profile/made_files.h"

#include "base/join.h"
#include "io/profile/jitdump.h"
#include "io/profile/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the files are read for. */
struct made_reading {
	const struct recorded_process *process;
	struct made_names names;
	struct arena mem;
	struct diag *diag;
};

/* Adds the names of a file. Returns false if it is not used. */
typedef bool made_files_take(struct made_reading *r, const char *path);

/* Returns why the file must not be used, or NULL. */
static const char *made_files_fault(const struct stat *st, const struct recorded_process *process)
{
	enum { SLACK = 1 }; /* in seconds: the clock of file systems is late */

	if (!S_ISREG(st->st_mode))
		return "is not a regular file";
	if (st->st_uid != geteuid())
		return "belongs to another user";
	if ((uint64_t)st->st_mtim.tv_sec + SLACK < process->start / 1000000000)
		return "is older than the process";
	return NULL;
}

/* Opens a file; -1 if there is none, or after a warning that says why it is not used. */
static int made_files_open(const char *path, const struct recorded_process *process,
			   struct stat *st, struct diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	const char *fault;

	if (fd < 0 && errno == ENOENT)
		return -1;
	if (fd < 0)
		fault = errno == ELOOP ? "is a link" : strerror(errno);
	else if (fstat(fd, st) < 0)
		fault = strerror(errno);
	else
		fault = made_files_fault(st, process);
	if (!fault)
		return fd;
	diag_warn(diag, "%s: %s: its names are not used", path, fault);
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Reads the beginning of the file into mem, and closes it. Returns how many they are. */
static size_t made_files_load(int fd, unsigned char **bytes, uint64_t size, struct arena *mem)
{
	size_t room = size < MADE_FILES_MOST_BYTES ? (size_t)size : MADE_FILES_MOST_BYTES, n = 0;
	ssize_t got = 1;

	*bytes = arena_unset_array(mem, unsigned char, room);
	while (n < room && got > 0) {
		got = read(fd, *bytes + n, room - n);
		n += got > 0 ? (size_t)got : 0;
	}
	close(fd);
	return n;
}

/* Loads a file's beginning; of a file that is longer a warning tells. Returns false if it is not
 * used. */
static bool made_files_get(struct made_reading *r, const char *path, unsigned char **bytes,
			   size_t *n)
{
	struct stat st;
	int fd = made_files_open(path, r->process, &st, r->diag);

	if (fd < 0)
		return false;
	*n = made_files_load(fd, bytes, (uint64_t)st.st_size, &r->mem);
	if ((uint64_t)st.st_size > MADE_FILES_MOST_BYTES)
		diag_warn(r->diag, "%s: only its first %d MB of names are read", path,
			  MADE_FILES_MOST_BYTES >> 20);
	return true;
}

static bool made_files_take_map(struct made_reading *r, const char *path)
{
	unsigned char *bytes;
	size_t n;

	if (!made_files_get(r, path, &bytes, &n))
		return false;
	perf_map_apply(&r->names, (const char *)bytes, n);
	return true;
}

static bool made_files_take_dump(struct made_reading *r, const char *path)
{
	unsigned char *bytes;
	size_t n, whole;

	if (!made_files_get(r, path, &bytes, &n))
		return false;
	whole = jitdump_apply(&r->names, bytes, n, &r->mem);
	/* The last record of a long file has been cut here. */
	if (whole < n && n < MADE_FILES_MOST_BYTES)
		diag_warn(r->diag, "%s: damaged at byte %zu: only names before it are used", path,
			  whole);
	return true;
}

/* Takes the first file of that name that is of use in these directories, where NULL is none. */
static bool made_files_find(struct made_reading *r, made_files_take *take, const char *name,
			    const char *const *directories, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *directory = directories[i];

		if (directory && *directory && (i == 0 || strcmp(directory, directories[0]) != 0) &&
		    take(r, JOIN(&r->mem, directory, "/", name)))
			return true;
	}
	return false;
}

/* Takes the last of the dumps that agents keep below a directory, as their directories have dates.
 */
static void made_files_find_kept(struct made_reading *r, const char *name, const char *below)
{
	glob_t found = { 0 };

	if (below && *below &&
	    glob(JOIN(&r->mem, below, "/.debug/jit/*/", name), 0, NULL, &found) == 0) {
		for (size_t i = found.gl_pathc; i-- > 0;) {
			if (made_files_take_dump(r, found.gl_pathv[i]))
				break;
		}
	}
	globfree(&found);
}

/* The options of V8, and so of node, that say where it writes its dump. */
static const char *const path_options[] = { "--perf-prof-path", "--perf_prof_path" };

/* Returns the directory that the command line of a process names for dumps, in mem, or NULL. */
static const char *made_files_named(const char *command, struct arena *mem)
{
	for (size_t i = 0; i < sizeof(path_options) / sizeof(path_options[0]); i++) {
		size_t n = strlen(path_options[i]);

		for (const char *at = command; (at = strstr(at, path_options[i])); at += n) {
			if (at > command && at[-1] == ' ' && (at[n] == '=' || at[n] == ' '))
				return arena_strndup(mem, at + n + 1, strcspn(at + n + 1, " "));
		}
	}
	return NULL;
}

/* Takes the dump, from where it is most likely to be. */
static void made_files_find_dump(struct made_reading *r, const struct made_places *places,
				 const char *const *directories, size_t n)
{
	const char *name = join_format(&r->mem, "jit-%" PRIu32 ".dump", r->process->pid);
	const char *named = made_files_named(r->process->command, &r->mem);

	if (!made_files_find(r, made_files_take_dump, name, &named, 1) &&
	    !made_files_find(r, made_files_take_dump, name, directories, n))
		made_files_find_kept(r, name, places->dumps);
}

void made_files_read(struct recorded *rec, const struct made_places *places, struct arena *mem,
		     struct diag *diag)
{
	const char *const directories[] = { "/tmp", places->temporary, "." };
	struct made_reading r = { .mem = arena_scratch(mem), .diag = diag };
	const char *map;

	made_names_begin(&r.names, rec, &r.mem);
	if (rec->processes.n == 1 && r.names.pc.n > 0) {
		r.process = &rec->processes.at[0];
		map = join_format(&r.mem, "perf-%" PRIu32 ".map", r.process->pid);
		made_files_find_dump(&r, places, directories, 3);
		made_files_find(&r, made_files_take_map, map, directories, 2);
		made_names_end(&r.names, rec, mem);
	}
	arena_free(&r.mem);
}
