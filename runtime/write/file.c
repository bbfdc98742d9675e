/* SPDX-License-Identifier: MIT */
/* Writes a file under a temporary name. See file.h. */
#include "write/file.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sandbox.h"
#include "base/stamp.h"
#include "base/sys.h"

enum { FILE_TRIES = 100 /* names that are tried */ };

static void file_flush_to(struct file_memory *memory, struct file_writer *file)
{
	for (size_t i = 0; i < file->used; i++, memory->used++)
		if (memory->used < memory->room)
			memory->bytes[memory->used] = file->bytes[i];
	file->used = 0;
}

static void file_flush(struct file_writer *file)
{
	if (file->memory) {
		file_flush_to(file->memory, file);
		return;
	}
	if (file->written)
		file->stamp = stamp_add(file->stamp, file->bytes, file->used);
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

size_t file_copy(struct file_writer *file, void *bytes, size_t room, file_fill *fill,
		 const void *what)
{
	struct file_memory memory = { .bytes = bytes, .room = room };

	file->memory = &memory;
	file->used = 0;
	fill(file, what);
	file_flush(file);
	file->memory = NULL;
	return memory.used;
}

/* Checks like file_check(), by opening the file, if sys_look() is not available. */
static long file_check_by_opening(const char *path)
{
	long fd = sys_open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	long done;

	if (sys_failed(fd))
		return fd == -ENOENT ? 0 : fd;
	done = SYS3(SYS_lseek, fd, 0, SEEK_CUR);
	sys_close((int)fd);
	return done == -ESPIPE ? -ENXIO : 0;
}

/*
 * Returns 0 if there is no file with this name, or a regular file that can be written; else -errno.
 * Renaming a new file to this name would replace the old one without such checks.
 */
static long file_check(const char *path)
{
	struct sys_file file;
	long done = sys_look(-1, path, &file);

	if (done == -ENOENT)
		return 0;
	if (done == -EPERM || done == -ENOSYS)
		return file_check_by_opening(path);
	if (sys_failed(done))
		return done;
	switch (file.mode & S_IFMT) {
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
 * Creates a new file beside path, and puts its name into file->temporary. The first names may be
 * taken: by a process with this number that was killed, or that runs on another host or in another
 * container.
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

/*
 * Waits until the contents are on the disk: else a power cut might leave a file with the new name
 * but without contents.
 */
static long file_sync(int fd)
{
	long done = SYS1(SYS_fsync, fd);

	return done == -EIO || done == -ENOSPC || done == -EDQUOT ? done : 0;
}

/* Writes and closes the file of a descriptor. 0 or -errno. */
static long file_write(struct file_writer *file, long fd, file_fill *fill, const void *what)
{
	long done;

	file->fd = (int)fd;
	file->used = 0;
	file->error = 0;
	file->stamp = GMON_EXT_STAMP_START;
	fill(file, what);
	file_flush(file);
	if (!file->error && !file->hasty && !sandbox_was_closed())
		file->error = file_sync(file->fd);
	done = sys_close(file->fd);
	if (file->error || done)
		return file->error ? file->error : done;
	if (file->written)
		file->written(what, file->stamp);
	return 0;
}

/* Writes path in place; it may be a new file only with `create` = O_CREAT. Returns 0 or -errno. */
static long file_overwrite(struct file_writer *file, const char *path, int create, file_fill *fill,
			   const void *what)
{
	long fd = sys_open(path, create | O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
			   0666);

	return sys_failed(fd) ? fd : file_write(file, fd, fill, what);
}

/* Whether renaming has failed because the old file cannot be replaced, although it may be writable:
 * another user's file in a sticky directory, or a mount point. */
static bool file_stays(long error)
{
	return error == -EPERM || error == -EACCES || error == -EBUSY;
}

long file_replace_stamped(struct file_writer *file, const char *path, file_fill *fill,
			  file_written *written, const void *what)
{
	long fd;
	long renamed;
	long done;

	file->written = written;
	if (sandbox_was_closed())
		return file_overwrite(file, path, O_CREAT, fill, what);
	done = file_check(path);
	if (done)
		return done;
	fd = file_open_beside(file, path);
	if (fd == -EACCES) {
		done = file_overwrite(file, path, 0, fill, what);
		return done == -ENOENT ? -EACCES : done;
	}
	if (sys_failed(fd))
		return fd;
	done = file_write(file, fd, fill, what);
	if (done) {
		sys_unlink(file->temporary);
		return done;
	}
	renamed = sys_rename(file->temporary, path);
	if (!renamed)
		return 0;
	sys_unlink(file->temporary);
	if (!file_stays(renamed))
		return renamed;
	done = file_overwrite(file, path, 0, fill, what);
	return done == -ENOENT ? renamed : done;
}

long file_replace(struct file_writer *file, const char *path, file_fill *fill, const void *what)
{
	return file_replace_stamped(file, path, fill, NULL, what);
}
