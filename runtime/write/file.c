/* SPDX-License-Identifier: MIT */
/* Writing a file under a temporary name. See file.h. */
#include "write/file.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sandbox.h"
#include "base/stamp.h"
#include "base/sys.h"

enum { FILE_TRIES = 100 /* of names */ };

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

/* file_check() where the kernel does not say what a name stands for: what opening it says. */
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
 * What lies under a name must be nothing or a file that could be written: 0 or -errno. A new file
 * replaces it, which would not ask.
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

/* On the disk, not only in the kernel: else a power cut may leave the new name and no contents. */
static long file_sync(int fd)
{
	long done = SYS1(SYS_fsync, fd);

	return done == -EIO || done == -ENOSPC || done == -EDQUOT ? done : 0;
}

/* Fills and closes the file behind fd. 0 or -errno. */
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

/* Writes the file that is there, or with O_CREAT any. 0, or -errno, -ENOENT if none is. */
static long file_overwrite(struct file_writer *file, const char *path, int create, file_fill *fill,
			   const void *what)
{
	long fd = sys_open(path, create | O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
			   0666);

	return sys_failed(fd) ? fd : file_write(file, fd, fill, what);
}

/* Whether a directory keeps its old file but lets it be written: one of another user's in a sticky
 * directory, or one that something is mounted on. */
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
