/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading whole files. */
#include "config.h"

#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES = 64 * 1024 };

/* Reads until the file has `upto` bytes or ends. An errno, or 0. */
static int read_upto(struct file *file, int fd, size_t upto)
{
	while (file->size < upto) {
		ssize_t n = read(fd, file->bytes + file->size, upto - file->size);

		if (n == 0)
			break;
		if (n > 0)
			file->size += (size_t)n;
		else if (errno != EINTR)
			return errno;
	}
	return 0;
}

/* The same to the end; the size that stat gave is a hint only, for files may grow or shrink. */
static int read_rest(struct file *file, int fd, size_t hint)
{
	size_t max = hint + 1 > FIRST_BYTES ? hint + 1 : FIRST_BYTES;

	for (;;) {
		unsigned char *more = realloc(file->bytes, max);
		int error;

		if (!more)
			return ENOMEM;
		file->bytes = more;
		error = read_upto(file, fd, max);
		if (error || file->size < max)
			return error;
		if (max > SIZE_MAX / 2)
			return EFBIG;
		max *= 2;
	}
}

int file_read(struct file *file, const char *path, file_check *check, void *arg, struct diag *diag)
{
	int is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat st;
	int error = 0, rc = -1;

	*file = (struct file){ malloc(FILE_START_BYTES), 0 };
	if (fd < 0 || fstat(fd, &st) < 0) {
		error = errno;
	} else if (!is_stdin && (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))) {
		diag_error(diag, "%s: is a device, not a file or pipe", path);
	} else {
		error = file->bytes ? read_upto(file, fd, FILE_START_BYTES) : ENOMEM;
		if (!error && (!check || check(file->bytes, file->size, arg) == 0)) {
			error = read_rest(file, fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0);
			rc = error ? -1 : 0;
		}
	}
	if (error)
		diag_error(diag, "%s: %s", path, strerror(error));
	if (fd >= 0 && !is_stdin)
		close(fd);
	if (rc < 0)
		file_free(file);
	return rc;
}

void file_free(struct file *file)
{
	free(file->bytes);
	*file = (struct file){ NULL, 0 };
}
