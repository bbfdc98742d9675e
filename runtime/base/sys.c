/* SPDX-License-Identifier: MIT */
/* System calls that differ between kernels and machines. See sys.h. */
#include "base/sys.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* On 32-bit machines a 64-bit argument is split in a way that differs between them: so there the
 * file's position is moved. */
long sys_write_at(int fd, const void *bytes, size_t n, uint64_t offset)
{
#ifdef __LP64__
	return SYS4(SYS_pwrite64, fd, bytes, n, offset);
#else
	uint64_t moved;
	long done = SYS6(SYS__llseek, fd, offset >> 32, offset, &moved, SEEK_SET, 0);

	return sys_failed(done) ? done : sys_write(fd, bytes, n);
#endif
}

long sys_reserve(int fd, uint64_t offset, uint64_t bytes)
{
	static const char zeros[4096];
	long done;

#ifdef __LP64__
	done = SYS4(SYS_fallocate, fd, 0, offset, bytes);
#else
	done = -EOPNOTSUPP;
#endif
	if (done != -EOPNOTSUPP && done != -ENOSYS)
		return done;
	for (uint64_t at = 0; at < bytes; at += sizeof(zeros)) {
		done = sys_write_at(fd, zeros, sizeof(zeros), offset + at);
		if (sys_failed(done))
			return done;
		if (done != sizeof(zeros))
			return -ENOSPC;
	}
	return 0;
}

long sys_rename(const char *from, const char *to)
{
	long done = SYS6(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0, 0);

#ifdef SYS_renameat
	if (done == -EPERM || done == -ENOSYS)
		done = SYS4(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
#endif
#ifdef SYS_rename
	if (done == -EPERM || done == -ENOSYS)
		done = SYS2(SYS_rename, from, to);
#endif
	return done;
}

static long sys_look_by_statx(int fd, const char *path, struct sys_file *file)
{
	struct statx status;
	long done = SYS6(SYS_statx, *path ? AT_FDCWD : fd, path,
			 AT_SYMLINK_NOFOLLOW | (*path ? 0 : AT_EMPTY_PATH),
			 STATX_BASIC_STATS | STATX_BTIME, &status, 0);
	uint64_t born = 0;

	if (done == 0 && status.stx_mask & STATX_BTIME)
		born = (uint64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
	if (done == 0)
		*file = (struct sys_file){ (uint64_t)status.stx_dev_major << 32 |
						   status.stx_dev_minor,
					   status.stx_ino,
					   status.stx_size,
					   status.stx_mode,
					   status.stx_uid,
					   born };
	return done;
}

long sys_look_by_stat(int fd, const char *path, struct sys_file *file)
{
#ifdef __LP64__ /* elsewhere the C library's struct stat differs from the kernel's */
	struct stat status;
	long done = SYS4(SYS_newfstatat, *path ? AT_FDCWD : fd, path, &status,
			 AT_SYMLINK_NOFOLLOW | (*path ? 0 : AT_EMPTY_PATH));

	if (done == 0)
		*file = (struct sys_file){ (uint64_t)major(status.st_dev) << 32 |
						   minor(status.st_dev),
					   status.st_ino,
					   (uint64_t)status.st_size,
					   status.st_mode,
					   status.st_uid,
					   0 };
	return done;
#else
	(void)fd;
	(void)path;
	(void)file;
	return -ENOSYS;
#endif
}

long sys_look(int fd, const char *path, struct sys_file *file)
{
	long done = sys_look_by_statx(fd, path, file);
	long old;

	if (done != -EPERM && done != -ENOSYS)
		return done;
	old = sys_look_by_stat(fd, path, file);
	return old == -ENOSYS ? done : old;
}

uint64_t sys_file_bytes(const char *path)
{
	long fd = path[0] == '/' ? sys_open(path, O_PATH | O_CLOEXEC, 0) : -ENOENT;
	struct sys_file file; /* no initializer: some compilers call memset for it */
	int regular;

	if (sys_failed(fd))
		return 0;
	regular = sys_look((int)fd, "", &file) == 0 && S_ISREG(file.mode);
	sys_close((int)fd);
	return regular ? file.bytes : 0;
}

size_t sys_read_text(int directory, const char *path, char *text, size_t bytes)
{
	long fd = sys_open_at(directory, path, O_RDONLY | O_CLOEXEC, 0);
	long n = 0;

	if (!sys_failed(fd)) {
		n = SYS3(SYS_read, fd, text, bytes - 1);
		sys_close((int)fd);
	}
	if (sys_failed(n))
		n = 0;
	text[n] = '\0';
	return (size_t)n;
}

bool sys_begins_with(int fd, const char *magic, size_t n)
{
	char start[16];
	size_t i = 0;

	if (SYS3(SYS_read, fd, start, n) != (long)n)
		return false;
	while (i < n && start[i] == magic[i])
		i++;
	return i == n;
}

void sys_sleep_for_ever(void)
{
	const long second[2] = { 1, 0 };

	for (;;)
		SYS2(SYS_nanosleep, second, NULL);
}

uint32_t sys_user(void)
{
#ifdef SYS_geteuid32
	return (uint32_t)SYS0(SYS_geteuid32);
#else
	return (uint32_t)SYS0(SYS_geteuid);
#endif
}
