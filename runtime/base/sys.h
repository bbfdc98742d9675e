/* SPDX-License-Identifier: MIT */
/*
 * System calls without the C library: they set no errno, are no cancellation points and take no
 * locks. Each returns what the kernel returns, which is -errno after an error. After EINTR the call
 * is repeated.
 */
#ifndef BASE_SYS_H
#define BASE_SYS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <arch.h>

#define SYS6(number, a, b, c, d, e, f) \
	arch_syscall(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define SYS4(number, a, b, c, d) SYS6(number, a, b, c, d, 0, 0)
#define SYS3(number, a, b, c)    SYS6(number, a, b, c, 0, 0, 0)
#define SYS2(number, a, b)       SYS6(number, a, b, 0, 0, 0, 0)
#define SYS1(number, a)          SYS6(number, a, 0, 0, 0, 0, 0)
#define SYS0(number)             SYS6(number, 0, 0, 0, 0, 0, 0)

/* Whether a result is -errno, that is, one of the last 4095 values. */
static inline int sys_failed(long result)
{
	return (unsigned long)result >= (unsigned long)-4095L;
}

/* Returns NULL after an error. offset must be a multiple of 4096. */
static inline void *sys_mmap(void *at, size_t bytes, int protection, int flags, int fd,
			     uint64_t offset)
{
#ifdef ARCH_MMAP_BLOCK
	long block[] = { (long)at, (long)bytes, protection, flags, fd, (long)offset };
	long result = SYS1(SYS_mmap, block);
#elif defined(SYS_mmap2)
	long result = SYS6(SYS_mmap2, at, bytes, protection, flags, fd, offset / 4096);
#else
	long result = SYS6(SYS_mmap, at, bytes, protection, flags, fd, offset);
#endif
	return sys_failed(result) ? NULL : (void *)result;
}

/* Returns zeroed private memory, or NULL. */
static inline void *sys_memory(size_t bytes)
{
	return sys_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* The same, for who writes to all of it: its pages are there at once, which takes less time than
 * one fault for each. */
static inline void *sys_memory_now(size_t bytes)
{
	return sys_mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
}

/* Has the pages be there in which n bytes from an address on are, writable ones of a mapping: all
 * at once, which takes less time than one fault for each. Kernels before 5.14 do not know that. */
static inline void sys_populate(const void *at, size_t bytes)
{
	enum { PAGE = 4096, POPULATE_WRITE = 23 /* MADV_POPULATE_WRITE */ };
	const uintptr_t low = (uintptr_t)at & ~(uintptr_t)(PAGE - 1);

	SYS3(SYS_madvise, low, (uintptr_t)at + bytes - low, POPULATE_WRITE);
}

static inline void sys_munmap(void *at, size_t bytes)
{
	SYS2(SYS_munmap, at, bytes);
}

static inline long sys_open_at(int directory, const char *path, int flags, int mode)
{
	long fd;

	do
		fd = SYS4(SYS_openat, directory, path, flags, mode);
	while (fd == -EINTR);
	return fd;
}

static inline long sys_open(const char *path, int flags, int mode)
{
	return sys_open_at(AT_FDCWD, path, flags, mode);
}

static inline long sys_write(int fd, const void *bytes, size_t n)
{
	long done;

	do
		done = SYS3(SYS_write, fd, bytes, n);
	while (done == -EINTR);
	return done;
}

static inline long sys_close(int fd)
{
	return SYS1(SYS_close, fd);
}

/*
 * Renames by whichever system call works: kernels, and filters of system calls, may know only older
 * ones.
 */
long sys_rename(const char *from, const char *to);

static inline long sys_unlink(const char *path)
{
	return SYS3(SYS_unlinkat, AT_FDCWD, path, 0);
}

static inline int32_t sys_getpid(void)
{
	return (int32_t)SYS0(SYS_getpid);
}

static inline int32_t sys_gettid(void)
{
	return (int32_t)SYS0(SYS_gettid);
}

/*
 * Writes at an offset; may move the file's position. Returns how many bytes were written, or
 * -errno.
 */
long sys_write_at(int fd, const void *bytes, size_t n, uint64_t offset);

/*
 * Fills [offset, offset + bytes) of a file with zeros that have disk blocks, so that writing to a
 * mapping of them cannot fault. Both numbers are multiples of 4096. Returns 0 or -errno.
 */
long sys_reserve(int fd, uint64_t offset, uint64_t bytes);

/* Identity and attributes of a file. */
struct sys_file {
	uint64_t device, number;
	uint64_t bytes;
	uint32_t mode; /* file type and permissions */
	uint32_t owner;
	uint64_t born; /* when it was created, in nanoseconds since 1970; 0: unknown */
};

/*
 * Gets the attributes of an open file, or of `path` if that is not empty; links are not followed.
 * Returns 0 or -errno; -EPERM or -ENOSYS if the system call itself is not available.
 */
long sys_look(int fd, const char *path, struct sys_file *file);

/*
 * Does the same by an older system call, which most programs use and filters therefore allow.
 * Returns -ENOSYS on 32-bit machines.
 */
long sys_look_by_stat(int fd, const char *path, struct sys_file *file);

/*
 * Returns the size of a regular file with an absolute path; 0 if it is no such file, or on failure.
 */
uint64_t sys_file_bytes(const char *path);

/*
 * Whether two are the same file. The times of creation are compared because a new file may get the
 * inode number of one that was removed.
 */
static inline int sys_same_file(const struct sys_file *a, const struct sys_file *b)
{
	return a->device == b->device && a->number == b->number &&
	       (!a->born || !b->born || a->born == b->born);
}

/*
 * Reads a small file whose path is absolute or begins at an open directory, up to bytes - 1 of it,
 * and ends the text with a null byte; it may take the memory of the path. Returns the text's
 * length; 0 if there is none or on failure.
 */
size_t sys_read_text(int directory, const char *path, char *text, size_t bytes);

/* Whether the next bytes of a file are the n bytes `magic`, at most 16. */
bool sys_begins_with(int fd, const char *magic, size_t n);

/* Sleeps until the process ends. */
_Noreturn void sys_sleep_for_ever(void);

/* Returns the process's effective user id. */
uint32_t sys_user(void);

#endif
