/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear in the sizes of the files, and in the directories for each. */
#include "config.h"

#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

/* A descriptor of a regular file, or -1 and errno: a pipe might never end. */
static int open_regular(const char *path, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return -1;
	if (fstat(fd, st) == 0 && S_ISREG(st->st_mode))
		return fd;
	close(fd);
	errno = S_ISDIR(st->st_mode) ? EISDIR : EINVAL;
	return -1;
}

static int open_below(const char *directory, const char *name, struct stat *st,
		      const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	size_t size = strlen(directory) + strlen(name) + 2;
	char *path = arena_array(&scratch, char, size);
	int fd;

	snprintf(path, size, "%s/%s", directory, name);
	fd = open_regular(path, st);
	arena_free(&scratch);
	return fd;
}

static int search(const char *name, const string_array *path, struct stat *st,
		  const struct arena *mem)
{
	const char *slash = strrchr(name, '/');
	int fd = open_regular(name, st), error = errno;

	for (size_t i = 0; i < path->n && fd < 0 && name[0] != '/'; i++)
		fd = open_below(path->at[i], name, st, mem);
	for (size_t i = 0; i < path->n && fd < 0 && slash; i++)
		fd = open_below(path->at[i], slash + 1, st, mem);
	errno = error;
	return fd;
}

/* Reads up to size bytes; fewer if the file has shrunk or cannot be read. */
static size_t read_bytes(int fd, char *bytes, size_t size)
{
	size_t done = 0;
	ssize_t n = 1;

	while (done < size && (n > 0 || (n < 0 && errno == EINTR))) {
		n = read(fd, bytes + done, size - done);
		done += n > 0 ? (size_t)n : 0;
	}
	return done;
}

struct source_text source_read(const char *name, const string_array *path, struct arena *mem,
			       struct diag *diag)
{
	struct stat st;
	int fd = search(name, path, &st, mem);
	char *bytes;
	size_t size;

	if (fd < 0) {
		diag_warn(diag, "%s: source not found: %s", name, strerror(errno));
		return (struct source_text){ NULL, 0 };
	}
	bytes = arena_array(mem, char, (size_t)st.st_size);
	size = read_bytes(fd, bytes, (size_t)st.st_size);
	close(fd);
	return (struct source_text){ bytes, size };
}
