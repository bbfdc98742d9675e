/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads whole files into memory. */
#ifndef IO_FILE_H
#define IO_FILE_H

#include "base/arena.h"
#include "base/diag.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* The bytes of a file. Free with file_free(); an all-zero value needs none. */
struct file {
	unsigned char *bytes;
	size_t size, max;
	/* the pool from which the memory was taken if it is large, or NULL */
	struct arena_pool *pool;
};

enum { FILE_START_BYTES = 4096 };

/*
 * Checks the first FILE_START_BYTES of a file, or all of a shorter one. Returns 0, or -1 after an
 * error message.
 */
typedef int file_check(const unsigned char *bytes, size_t n, void *arg);

/*
 * Reads path, or standard input for "-", to its end, if its start passes the check (NULL: none).
 * Pipes are allowed. The old contents of `file` are replaced and its memory is used again. Returns
 * 0, or -1 after an error message and nothing to free. Devices are refused, since some never end.
 */
int file_read(struct file *file, const char *path, file_check *check, void *arg, struct diag *diag);

/*
 * Reads like file_read() a file that was found to be a regular file, and fails if it is not one any
 * more. Opening never blocks.
 */
int file_read_regular(struct file *file, const char *path, file_check *check, void *arg,
		      struct diag *diag);

/*
 * Opens a file that another file names: it must be a regular file with contents, also if it is
 * replaced meanwhile. Opening never blocks. Returns a descriptor, or -1 with the reason in errno.
 */
int file_open_named(const char *path, struct stat *st);

/*
 * Opens a file as file_open_named() does, sets *st, and reads it if its start passes the check. 0;
 * -1 if it does not; or an errno, EFBIG also for a file with many more holes than data. Unless it
 * returns 0, there is nothing to free.
 */
int file_read_named(struct file *file, const char *path, struct stat *st, file_check *check,
		    void *arg);

/* Reads, as file_read_named() does, what file_open_named() has opened, and closes it. */
int file_read_opened(struct file *file, int fd, const struct stat *st, file_check *check,
		     void *arg);

/*
 * Opens descriptors 0, 1 and 2 where they are closed, so that files opened later cannot become
 * standard input, output or error: they would be read, or be filled with reports and messages.
 * Using the three fails as before, and programs that are run find them closed.
 */
void file_keep_standard(void);

void file_free(struct file *file);

/*
 * Returns the size of a regular file, for limits on what reading it may cost: its bytes on disk, so
 * that holes do not raise the limits, but at least its size up to 64 MiB, because file systems may
 * report the number of bytes on disk late, or not at all.
 */
uint64_t file_weight(const struct stat *st);

/*
 * Whether a regular file is almost all holes, so that reading it may take hours. File systems also
 * compress, but files that are used for profiling never become so small.
 */
bool file_is_hollow(const struct stat *st);

/* Whether a's contents are newer than b's. */
bool file_is_newer(const struct stat *a, const struct stat *b);

#endif
