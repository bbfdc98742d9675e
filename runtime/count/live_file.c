/* SPDX-License-Identifier: MIT */
/* The file that holds the data of blocks. See live_file.h. */
#include "count/live_file.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <gmon_live.h>

#include "base/mask.h"
#include "base/sandbox.h"
#include "base/text.h"
#include "base/wide.h"
#include "state.h"

/* TRIES: another process may remove a new file before it is locked, a few times at most. */
enum { LIVE_FILE_PIN_BYTES = 4096, LIVE_FILE_TRIES = 10 };

static void live_file_say_once(const char *what, long error)
{
	if (!__atomic_exchange_n(&gmon.live_file.lost, 1, __ATOMIC_RELAXED))
		text_complain(what, gmon.live_file.name, error);
}

void live_file_say_incomplete(long error)
{
	live_file_say_once("GMON=crash: not all counts are in", error);
}

void live_file_say_truncated(void)
{
	live_file_say_once("GMON=crash: counts are lost: somebody has truncated", 0);
}

const char *live_file_path(void)
{
	return __atomic_load_n(&gmon.live_file.path, __ATOMIC_ACQUIRE);
}

/* O_NONBLOCK: the name may lead to a FIFO by now, where opening would block. */
long live_file_open(void)
{
	/* Read before the size is: another thread may make the file longer meanwhile. */
	const uint64_t reserved = wide_load(&gmon.live_file.reserved);
	struct sys_file now;
	long fd = sys_open(gmon.live_file.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0);
	long done;

	if (sys_failed(fd))
		return fd;
	done = sys_look((int)fd, "", &now);
	if (!done && !sys_same_file(&now, &gmon.live_file.file))
		done = -ESTALE;
	if (!done && now.bytes < reserved)
		done = -ENODATA;
	if (!done)
		return fd;
	sys_close((int)fd);
	return done;
}

long live_file_reserve(int fd, uint64_t offset, uint64_t bytes)
{
	uint64_t *reserved = &gmon.live_file.reserved;
	long done = sys_reserve(fd, offset, bytes);
	uint64_t known;

	do
		known = wide_load(reserved);
	while (!done && known < offset + bytes && !wide_swap(reserved, known, offset + bytes));
	return done;
}

/* 0 if an open file is a live file of this user, or is empty; -EEXIST if not. */
static long live_file_check(int fd, struct sys_file *file)
{
	long done = sys_look(fd, "", file);

	if (done)
		return done;
	if (!S_ISREG(file->mode) || file->owner != sys_user())
		return -EEXIST;
	if (file->bytes == 0) /* its process was killed early, or somebody has truncated it */
		return 0;
	return sys_begins_with(fd, GMON_LIVE_MAGIC, sizeof(GMON_LIVE_MAGIC) - 1) ? 0 : -EEXIST;
}

/*
 * The lock is held by the open file, which lives on in its mappings: when these are gone, however
 * the process ended, so is the lock. 0, also where the file system has no locks, or -EBUSY.
 */
static long live_file_lock(int fd)
{
	return SYS2(SYS_flock, fd, LOCK_EX | LOCK_NB) == -EWOULDBLOCK ? -EBUSY : 0;
}

static bool live_file_has_name(const struct sys_file *file, const char *path)
{
	struct sys_file now;

	return sys_look(-1, path, &now) == 0 && sys_same_file(&now, file);
}

/* Frees the name if a dead process has left its file there. 0, or -errno as live_file_create(). */
static long live_file_remove_stale(const char *path)
{
	struct sys_file file;
	long fd = sys_open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0);
	long done;

	if (sys_failed(fd))
		return fd == -ENOENT ? 0 : -EEXIST;
	done = live_file_check((int)fd, &file);
	if (!done)
		done = live_file_lock((int)fd);
	if (!done && live_file_has_name(&file, path))
		done = sys_unlink(path);
	sys_close((int)fd);
	return done;
}

/* A new file that has the name and is locked: its descriptor, or -errno as live_file_create(). */
static long live_file_make(const char *path)
{
	for (int i = 0; i < LIVE_FILE_TRIES; i++) {
		long done;
		long fd = sys_open(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0666);

		if (sys_failed(fd)) {
			done = fd == -EEXIST ? live_file_remove_stale(path) : fd;
			if (done)
				return done;
			continue;
		}
		done = live_file_lock((int)fd);
		if (!done)
			done = sys_look((int)fd, "", &gmon.live_file.file);
		if (!done && live_file_has_name(&gmon.live_file.file, path))
			return fd;
		sys_close((int)fd);
		if (done) {
			/* Who has the lock takes the file for a dead process's, and removes it. */
			if (done != -EBUSY)
				sys_unlink(path);
			return done;
		}
	}
	return -EBUSY;
}

static long live_file_begin(int fd, const void *head, size_t head_bytes)
{
	long done;

	gmon.live_file.reserved = 0;
	done = live_file_reserve(fd, 0, GMON_LIVE_PAGE);
	if (!sys_failed(done))
		done = sys_write_at(fd, head, head_bytes, 0);
	if (sys_failed(done))
		return done;
	gmon.live_file.pin = sys_mmap(NULL, LIVE_FILE_PIN_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	return gmon.live_file.pin ? 0 : -ENOMEM;
}

long live_file_create(const char *path, const char *name, const void *head, size_t head_bytes)
{
	struct mask mask;
	long fd;
	long done;

	mask_all(&mask);
	fd = done = live_file_make(path);
	if (!sys_failed(fd)) {
		done = live_file_begin((int)fd, head, head_bytes);
		sys_close((int)fd);
		if (done)
			sys_unlink(path);
	}
	mask_restore(&mask);
	if (sys_failed(done))
		return done;
	gmon.live_file.end = GMON_LIVE_PAGE;
	gmon.live_file.lost = 0;
	gmon.live_file.name = name;
	__atomic_store_n(&gmon.live_file.path, path, __ATOMIC_RELEASE);
	return 0;
}

void live_file_forget(void)
{
	gmon.live_file.path = NULL;
	if (gmon.live_file.pin)
		sys_munmap(gmon.live_file.pin, LIVE_FILE_PIN_BYTES);
	gmon.live_file.pin = NULL;
}

void live_file_remove(void)
{
	const char *path = gmon.live_file.path;

	if (path && !sandbox_was_closed() && live_file_has_name(&gmon.live_file.file, path))
		sys_unlink(path);
	live_file_forget();
}
