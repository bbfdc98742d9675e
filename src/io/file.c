/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads whole files into memory; keeps descriptors 0 to 2 from other files. */
#include "config.h"

#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES = 64 * 1024, POOLED_BYTES = 1024 * 1024 };

static bool file_is_pooled(const struct file *file, size_t max)
{
	return file->pool && max >= POOLED_BYTES;
}

/* Moves the bytes to memory from the pool, if there is a pool and the file is large. */
static unsigned char *file_move_to_pool(const struct file *file, size_t max)
{
	unsigned char *more = arena_pool_take(file->pool, max);

	if (!more)
		return NULL;
	if (file->size > 0)
		memcpy(more, file->bytes, file->size);
	if (file_is_pooled(file, file->max))
		arena_pool_give(file->pool, file->bytes, file->max);
	else
		free(file->bytes);
	return more;
}

static int file_make_room(struct file *file, size_t max)
{
	unsigned char *more;

	if (max <= file->max)
		return 0;
	more = file_is_pooled(file, max) ? file_move_to_pool(file, max) : realloc(file->bytes, max);
	if (!more)
		return ENOMEM;
	file->bytes = more;
	file->max = max;
	return 0;
}

/*
 * Reads until `upto` bytes were read, or the file ends. `expected` is the size that stat() gave, or
 * 0; a file that has that size and gives no more bytes when asked is at its end. Returns 0 or an
 * errno.
 */
static int file_read_upto(struct file *file, int fd, size_t upto, size_t expected, bool *ended)
{
	while (file->size < upto && !*ended) {
		size_t room = file->max - file->size;
		ssize_t n = read(fd, file->bytes + file->size, room);

		if (n < 0 && errno != EINTR)
			return errno;
		if (n >= 0) {
			file->size += (size_t)n;
			*ended = n == 0 || ((size_t)n < room && file->size == expected);
		}
	}
	return 0;
}

/* Reads to the end, since files may grow or shrink. */
static int file_read_rest(struct file *file, int fd, size_t expected, bool ended)
{
	int error = file_make_room(file, expected + 1);

	while (!ended && !error) {
		error = file_read_upto(file, fd, file->max, expected, &ended);
		if (ended || error)
			break;
		error = file->max > SIZE_MAX / 2 ? EFBIG : file_make_room(file, 2 * file->max);
	}
	return error;
}

/*
 * Reads the start, then the rest if the start is good. Returns 0, an errno, or -1 if it is not
 * good.
 */
static int file_read_checked(struct file *file, int fd, size_t expected, file_check *check,
			     void *arg)
{
	bool ended = false;
	int error = file_make_room(file, FIRST_BYTES);

	if (!error)
		error = file_read_upto(file, fd, FILE_START_BYTES, expected, &ended);
	if (error)
		return error;
	if (check && check(file->bytes,
			   file->size < FILE_START_BYTES ? file->size : FILE_START_BYTES, arg) < 0)
		return -1;
	return file_read_rest(file, fd, expected, ended);
}

int file_read(struct file *file, const char *path, file_check *check, void *arg, struct diag *diag)
{
	int is_stdin = strcmp(path, "-") == 0;
	/* If the user names a pipe, gprof waits for it, so this call goes around wrap_open.c. */
	int fd = is_stdin ? STDIN_FILENO : openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat st;
	int error;

	file->size = 0;
	if (fd < 0 || fstat(fd, &st) < 0) {
		error = errno;
	} else if (!is_stdin && (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))) {
		diag_error(diag, "%s: is a device, not a file or pipe", path);
		error = -1;
	} else {
		error = file_read_checked(file, fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0,
					  check, arg);
	}
	if (error > 0)
		diag_error(diag, "%s: %s", path, strerror(error));
	if (fd >= 0 && !is_stdin)
		close(fd);
	if (error)
		file_free(file);
	return error ? -1 : 0;
}

int file_read_regular(struct file *file, const char *path, file_check *check, void *arg,
		      struct diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	int error = 0;

	file->size = 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		error = errno;
	else
		error = S_ISREG(st.st_mode)
				? file_read_checked(file, fd, (size_t)st.st_size, check, arg)
				: EINVAL;
	if (error > 0)
		diag_error(diag, "%s: %s", path,
			   error == EINVAL ? "is not a regular file any more" : strerror(error));
	if (fd >= 0)
		close(fd);
	if (error)
		file_free(file);
	return error ? -1 : 0;
}

/* Devices are not opened, since that can have effects; the second check is for a file that was
 * replaced in between. */
int file_open_named(const char *path, struct stat *st)
{
	int fd;

	if (stat(path, st) < 0)
		return -1;
	errno = S_ISDIR(st->st_mode) ? EISDIR : EINVAL;
	/* Files that /proc makes up when they are read have no size, and may never end. */
	if (!S_ISREG(st->st_mode) || st->st_size <= 0)
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return -1;
	if (fstat(fd, st) == 0 && S_ISREG(st->st_mode))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

int file_read_opened(struct file *file, int fd, const struct stat *st, file_check *check, void *arg)
{
	int error = EFBIG;

	file->size = 0;
	if (!file_is_hollow(st))
		error = file_read_checked(file, fd, (size_t)st->st_size, check, arg);
	close(fd);
	if (error)
		file_free(file);
	return error;
}

int file_read_named(struct file *file, const char *path, struct stat *st, file_check *check,
		    void *arg)
{
	int fd = file_open_named(path, st);
	int error = errno;

	if (fd >= 0)
		return file_read_opened(file, fd, st, check, arg);
	file_free(file);
	return error;
}

bool file_is_hollow(const struct stat *st)
{
	enum { MOST_HOLES = 64 };

	return (uint64_t)st->st_size / MOST_HOLES > file_weight(st);
}

uint64_t file_weight(const struct stat *st)
{
	const uint64_t believed = UINT64_C(64) << 20;
	uint64_t size = st->st_size > 0 ? (uint64_t)st->st_size : 0;
	uint64_t on_disk = st->st_blocks > 0 ? 512 * (uint64_t)st->st_blocks : 0;

	if (on_disk < believed)
		on_disk = believed;
	return size < on_disk ? size : on_disk;
}

void file_keep_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			openat(AT_FDCWD, "/dev/null",
			       (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
	}
}

void file_free(struct file *file)
{
	if (file_is_pooled(file, file->max))
		arena_pool_give(file->pool, file->bytes, file->max);
	else
		free(file->bytes);
	*file = (struct file){ .pool = file->pool };
}

bool file_is_newer(const struct stat *a, const struct stat *b)
{
	const struct timespec *x = &a->st_mtim, *y = &b->st_mtim;

	return x->tv_sec != y->tv_sec ? x->tv_sec > y->tv_sec : x->tv_nsec > y->tv_nsec;
}
