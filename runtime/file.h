/* SPDX-License-Identifier: MIT */
/*
 * Writing a file so that its readers see the old one or the whole new one: system calls only, each
 * checked. Async-signal-safe; a writer is for one file at a time, several may be at work, also one
 * within the fill of another.
 */
#ifndef FILE_H
#define FILE_H

#include <stddef.h>

#include "text.h"

enum { FILE_BUFFER_BYTES = 16384 };

/* For file_replace(), which sets all of it. */
struct file_writer {
	unsigned char bytes[FILE_BUFFER_BYTES];
	size_t used;
	int fd;
	long error;                      /* -errno of the first write that failed */
	char temporary[PATH_BYTES + 32]; /* name, until the file is whole */
};

/* Puts out all that the file is to hold. It need not look for errors. */
typedef void file_fill(struct file_writer *file, const void *what);

/*
 * Writes a file under a temporary name, which becomes `path` when fill(file, what) has put out all
 * of it and it is on the disk. What lies there must be nothing or a file that could be written.
 * Where the directory takes no new file, or does not let the old one be replaced (a sticky one,
 * another's file; a mount point), the old one is written in place, and fill() called again. 0 or
 * -errno; after an error the old file is as it was, but for one in such a directory.
 */
long file_replace(struct file_writer *file, const char *path, file_fill *fill, const void *what);

/* For a fill: adds n bytes. After an error nothing more is written. */
void file_put(struct file_writer *file, const void *bytes, size_t n);

#endif
