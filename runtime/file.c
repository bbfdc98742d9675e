/* SPDX-License-Identifier: MIT */
/* Writing a file under a temporary name. See file.h. */
#include "file.h"

#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys.h"

enum { FILE_TRIES = 100 /* of names */ };

static void file_flush(struct file_writer *file)
{
	for (size_t at = 0; at < file->used && !file->error;) {
		long n = sys_write(file->fd, file->bytes + at, file->used - at);

		if (sys_failed(n) || n == 0)
			file->error = n ? n : -EIO;
		else
			at += (size_t)n;
	}
	file->used = 0;
}

void file_put(struct file_writer *file, const void *bytes, size_t n)
{
	const unsigned char *from = bytes;

	for (size_t i = 0; i < n; i++) {
		if (file->used == FILE_BUFFER_BYTES)
			file_flush(file);
		file->bytes[file->used++] = from[i];
	}
}

/*
 * What lies under a name must be nothing or a file that could be written: 0 or -errno. A new file
 * replaces it, which would not ask.
 */
static long file_check(const char *path)
{
	struct statx status;
	long done = SYS6(SYS_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &status, 0);

	if (done == -ENOENT || done == -ENOSYS)
		return 0;
	if (sys_failed(done))
		return done;
	switch (status.stx_mode & S_IFMT) {
	case S_IFREG:
		return SYS3(SYS_faccessat, AT_FDCWD, path, W_OK);
	case S_IFLNK:
		return -ELOOP;
	case S_IFDIR:
		return -EISDIR;
	default:
		return -ENXIO;
	}
}

/*
 * Opens a new file beside path, under the name that it puts into file->temporary. One of that name
 * may be left by a process of this number that was killed, or be written now on another host or in
 * another container.
 */
static long file_open_beside(struct file_writer *file, const char *path)
{
	uint32_t pid = (uint32_t)sys_getpid();
	long fd = -EEXIST;

	for (uint32_t try = 0; try < FILE_TRIES && fd == -EEXIST; try++) {
		struct text name = text_in(file->temporary, sizeof(file->temporary));

		text_add(&name, path);
		text_add(&name, ".");
		text_add_number(&name, pid);
		if (try) {
			text_add(&name, "-");
			text_add_number(&name, try);
		}
		text_add(&name, ".tmp");
		fd = sys_open(file->temporary, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC,
			      0666);
	}
	return fd;
}

/* Fills and closes the file behind fd. 0 or -errno. */
static long file_write(struct file_writer *file, long fd, file_fill *fill, const void *what)
{
	long done;

	file->fd = (int)fd;
	file->used = 0;
	file->error = 0;
	fill(file, what);
	file_flush(file);
	done = sys_close(file->fd);
	return file->error ? file->error : done;
}

long file_replace(struct file_writer *file, const char *path, file_fill *fill, const void *what)
{
	long fd;
	long done = file_check(path);

	if (done)
		return done;
	fd = file_open_beside(file, path);
	if (fd == -EACCES) {
		fd = sys_open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0);
		if (sys_failed(fd))
			return fd == -ENOENT ? -EACCES : fd;
		return file_write(file, fd, fill, what);
	}
	if (sys_failed(fd))
		return fd;
	done = file_write(file, fd, fill, what);
	if (!done)
		done = sys_rename(file->temporary, path);
	if (done)
		sys_unlink(file->temporary);
	return done;
}
