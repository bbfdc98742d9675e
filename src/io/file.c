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

static int fail(const char *path, int error, struct diag *diag)
{
	diag_error(diag, "%s: %s", path, strerror(error));
	return -1;
}

/* Reads on to the end; the size that stat gave is a hint only, for files may grow or shrink. */
static int read_all(struct file *file, int fd, size_t hint)
{
	size_t max = hint + 1 > FIRST_BYTES ? hint + 1 : FIRST_BYTES;

	file->bytes = malloc(max);
	if (!file->bytes)
		return ENOMEM;
	for (;;) {
		ssize_t n = read(fd, file->bytes + file->size, max - file->size);

		if (n == 0)
			return 0;
		if (n < 0) {
			if (errno == EINTR)
				continue;
			return errno;
		}
		file->size += (size_t)n;
		if (file->size == max) {
			unsigned char *more;

			if (max > SIZE_MAX / 2)
				return EFBIG;
			max *= 2;
			more = realloc(file->bytes, max);
			if (!more)
				return ENOMEM;
			file->bytes = more;
		}
	}
}

int file_read(struct file *file, const char *path, struct diag *diag)
{
	int is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat st;
	int error = 0;

	*file = (struct file){ NULL, 0 };
	if (fd < 0 || fstat(fd, &st) < 0) {
		error = errno;
	} else if (!is_stdin && (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))) {
		diag_error(diag, "%s: is a device, not a file or pipe", path);
		close(fd);
		return -1;
	} else {
		error = read_all(file, fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0);
	}
	if (fd >= 0 && !is_stdin)
		close(fd);
	if (error) {
		file_free(file);
		return fail(path, error, diag);
	}
	return 0;
}

void file_free(struct file *file)
{
	free(file->bytes);
	*file = (struct file){ NULL, 0 };
}
