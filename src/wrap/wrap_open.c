/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Libraries open files that debug information names, which may have changed since gprof checked
 * them. The linker redirects their calls to these functions (--wrap, where it has that option and
 * the libraries are static), so that they open only regular files for reading and never wait for
 * one. gprof uses openat() for files that may be pipes.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

int __real_open(const char *path, int flags, ...);
int __real_open64(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);

typedef int wrap_open_call(const char *path, int flags, ...);

static int wrap_open_open(wrap_open_call *call, const char *path, int flags, mode_t mode)
{
	const int others = O_CREAT | O_NONBLOCK | O_DIRECTORY | O_TMPFILE;
	struct stat st;
	int fd;

	if ((flags & O_ACCMODE) != O_RDONLY || flags & others)
		return call(path, flags, mode);
	fd = call(path, flags | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

/* Returns the argument after the flags, which exists if a file is created. */
static mode_t wrap_open_mode(int flags, va_list *rest)
{
	bool makes = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;

	return makes ? va_arg(*rest, mode_t) : 0;
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = wrap_open_mode(flags, &rest);
	va_end(rest);
	return wrap_open_open(__real_open, path, flags, mode);
}

int __wrap_open64(const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = wrap_open_mode(flags, &rest);
	va_end(rest);
	return wrap_open_open(__real_open64, path, flags, mode);
}
