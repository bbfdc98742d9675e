/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear in the sizes of the files; each file costs a look into each directory. */
#include "config.h"

#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void source_add_path(string_array *path, const char *list, struct arena *mem)
{
	for (;;) {
		size_t len = strcspn(list, ":");

		if (len > 0)
			array_push(mem, path) = arena_strndup(mem, list, len);
		if (list[len] == '\0')
			return;
		list += len + 1;
	}
}

/* The result of the search for a source file. */
struct source_found {
	int fd; /* descriptor of the file; -1: not found */
	struct stat st;
	unsigned rights; /* the permissions that a copy may have */
	bool is_private; /* there is such a file, but it must not be shown */
};

/*
 * Returns the part of an absolute path below a directory, such as "x.c"; NULL if it is not below
 * it.
 */
static const char *source_below(const char *path, const char *directory)
{
	/* The C library allocates nothing if it gets a buffer, unless the path is very long. */
	char real[PATH_MAX];
	size_t n = realpath(directory, real) ? strlen(real) : 0;

	if (n == 1)
		return path + 1;
	return n > 1 && strncmp(path, real, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

/* Finds the path of an open file, without links. Returns whether it has one. */
static bool source_real_path(int fd, const char *path, char real[PATH_MAX])
{
	char in_proc[40];

	snprintf(in_proc, sizeof(in_proc), "/proc/self/fd/%d", fd);
	return realpath(in_proc, real) || (errno == ENOENT && realpath(path, real));
}

/* Whether a file is below a directory from which the user wants source files. */
static bool source_is_wanted(const char *real, const string_array *directories)
{
	const char *rest;

	for (size_t i = 0; i < directories->n; i++) {
		if (source_below(real, directories->at[i]))
			return true;
	}
	rest = source_below(real, ".");
	/*
	 * Every file is below the root directory, so that does not count; and files below a user's
	 * dot directories are secret.
	 */
	return rest && rest != real + 1 && rest[0] != '.' && !strstr(rest, "/.");
}

static bool source_in_group(gid_t group)
{
	gid_t groups[64];
	int n = getgroups(sizeof(groups) / sizeof(groups[0]), groups);
	bool found = group == getegid();

	for (int i = 0; i < n && !found; i++)
		found = groups[i] == group;
	return found;
}

/* Returns the rights of those for whom a permission of a file is meant: everybody, a group, the
 * user. */
static unsigned source_share(const struct stat *st, mode_t others, mode_t group)
{
	if (st->st_mode & others)
		return S_IRWXU | S_IRWXG | S_IRWXO;
	if (st->st_mode & group && st->st_gid == getegid())
		return S_IRWXU | S_IRWXG;
	return S_IRWXU;
}

/*
 * Looks whether the user may search each directory above a file as its owner, in its group, or as
 * everybody, and not just as root may. Takes from *rights those of whoever may not.
 */
static bool source_is_reached(char *real, unsigned *rights)
{
	bool may = true;
	struct stat st;

	for (char *slash = strrchr(real, '/'); slash && slash > real && may;
	     slash = strrchr(real, '/')) {
		*slash = '\0';
		may = stat(real, &st) == 0 &&
		      (st.st_mode & S_IXOTH || st.st_uid == geteuid() ||
		       (st.st_mode & S_IXGRP && source_in_group(st.st_gid)));
		*rights &= source_share(&st, S_IXOTH, S_IXGRP);
	}
	return may;
}

/* Whether an open file may be shown. Sets found->rights. */
static bool source_may_show(int fd, const char *path, const string_array *directories,
			    struct source_found *found)
{
	char real[PATH_MAX];
	bool known = source_real_path(fd, path, real);
	bool may = known && source_is_wanted(real, directories);

	found->rights = source_share(&found->st, S_IROTH, S_IRGRP);
	if (known && !may && found->st.st_mode & S_IROTH)
		may = source_is_reached(real, &found->rights);
	return may;
}

/* Opens a file if it may be shown; -1 with an errno. Pipes are not opened, since they might
 * never end. */
static int source_open(const char *path, const string_array *directories,
		       struct source_found *found)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), error = EINVAL;

	if (fd < 0)
		return -1;
	if (fstat(fd, &found->st) < 0 || S_ISDIR(found->st.st_mode)) {
		error = EISDIR;
	} else if (S_ISREG(found->st.st_mode)) {
		if (source_may_show(fd, path, directories, found))
			return fd;
		found->is_private = true;
		error = EACCES;
	}
	close(fd);
	errno = error;
	return -1;
}

static int source_open_below(const char *directory, const char *name,
			     const string_array *directories, struct source_found *found,
			     const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	size_t size = strlen(directory) + strlen(name) + 2;
	char *path = arena_array(&scratch, char, size);
	int fd;

	snprintf(path, size, "%s/%s", directory, name);
	fd = source_open(path, directories, found);
	arena_free(&scratch);
	return fd;
}

/*
 * Searches for the file. If there is none, errno is the error for the name without a directory of
 * the search path.
 */
static struct source_found source_find_here(const char *name, const string_array *path,
					    const struct arena *mem)
{
	struct source_found found = { .fd = -1 };
	const char *slash = strrchr(name, '/');
	int error;

	found.fd = source_open(name, path, &found);
	error = errno;
	for (size_t i = 0; i < path->n && found.fd < 0 && name[0] != '/'; i++)
		found.fd = source_open_below(path->at[i], name, path, &found, mem);
	for (size_t i = 0; i < path->n && found.fd < 0 && slash; i++)
		found.fd = source_open_below(path->at[i], slash + 1, path, &found, mem);
	errno = error;
	return found;
}

bool source_is_here(const char *name, const struct source_search *search, const struct arena *mem)
{
	struct source_found found = source_find_here(name, search->path, mem);

	if (found.fd >= 0)
		close(found.fd);
	return found.fd >= 0 || found.is_private;
}

/* Opens a copy, whose name nobody chose but gprof and the program that made the copy. */
static void source_open_copy(const char *path, struct source_found *found)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);

	if (fd < 0)
		return;
	if (fstat(fd, &found->st) == 0 && S_ISREG(found->st.st_mode) &&
	    found->st.st_size <= SOURCE_COPY_BYTES) {
		found->rights = source_share(&found->st, S_IROTH, S_IRGRP);
		found->fd = fd;
	} else {
		close(fd);
	}
}

static struct source_found source_find(const char *name, const struct source_search *search,
				       const struct arena *mem)
{
	struct source_found found = source_find_here(name, search->path, mem);
	int error = errno;

	for (size_t i = 0; search->copies && i < search->copies->n && found.fd < 0; i++) {
		if (!found.is_private && strcmp(search->copies->at[i].name, name) == 0)
			source_open_copy(search->copies->at[i].path, &found);
	}
	errno = error;
	return found;
}

/* Reads up to size bytes; *done is less if the file has shrunk. Returns 0 or an errno. */
static int source_read_bytes(int fd, char *bytes, size_t size, size_t *done)
{
	ssize_t n = 1;

	for (*done = 0; *done < size && n != 0; *done += n > 0 ? (size_t)n : 0) {
		n = read(fd, bytes + *done, size - *done);
		if (n < 0 && errno != EINTR)
			return errno;
	}
	return 0;
}

static void source_say_missing(const char *name, const struct source_found *found,
			       struct diag *diag)
{
	if (found->is_private)
		diag_warn(diag,
			  "%s: source not shown: not everybody may read it (-I with its directory "
			  "shows it)",
			  name);
	else
		diag_warn(diag, "%s: source not found: %s", name, strerror(errno));
}

struct source_text source_read(const char *name, const struct source_search *search,
			       struct arena *mem, struct diag *diag)
{
	const struct source_text none = { NULL, 0, 0 };
	struct source_found found = source_find(name, search, mem);
	char *bytes;
	size_t size;
	int error;

	if (found.fd < 0) {
		if (!search->quiet)
			source_say_missing(name, &found, diag);
		return none;
	}
	bytes = arena_array(mem, char, (size_t)found.st.st_size);
	error = source_read_bytes(found.fd, bytes, (size_t)found.st.st_size, &size);
	close(found.fd);
	fileids_add(search->read, &found.st, search->mem);
	if (error) {
		diag_error(diag, "%s: cannot be read at byte %zu: %s", name, size, strerror(error));
		return none;
	}
	if (memchr(bytes, '\0', size)) {
		if (!search->quiet)
			diag_warn(diag, "%s: source not shown: it is not text", name);
		return none;
	}
	return (struct source_text){ bytes, size, found.rights };
}
