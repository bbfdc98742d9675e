/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files in memory. */
#ifndef IO_FILE_H
#define IO_FILE_H

#include "base/arena.h"
#include "base/diag.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* The bytes of a file. Free with file_free(); an all-zero value is free already. */
struct file {
	unsigned char *bytes;
	size_t size, max;
	struct arena_pool *pool; /* where much memory is from, or NULL */
};

enum { FILE_START_BYTES = 4096 };

/* Sees the first FILE_START_BYTES of a file, or all of a shorter one. 0, or -1 with the reason
 * said. */
typedef int file_check(const unsigned char *bytes, size_t n, void *arg);

/*
 * Reads path, or standard input for "-", to its end if its start passes the check, which may
 * be NULL; pipes are fine. What file held is replaced, and its memory used again.
 * 0, or -1 with the reason said and nothing to free. Devices are refused, for some never end.
 */
int file_read(struct file *file, const char *path, file_check *check, void *arg, struct diag *diag);

/* The same of what was a regular file when somebody looked, and is to be one; opening waits for
 * nothing. */
int file_read_regular(struct file *file, const char *path, file_check *check, void *arg,
		      struct diag *diag);

/*
 * A descriptor for reading a file that another file names: a regular one that is not empty, and
 * not another kind for even a moment. Opening waits for nothing. -1 if it is no such file or cannot
 * be opened, with the reason in errno.
 */
int file_open_named(const char *path, struct stat *st);

/*
 * Reads a file that another file names, as file_open_named() has it, which fills in *st, if then
 * its start passes the check. 0; -1 if it does not; or an errno, EFBIG also where there are many
 * more holes than data. With these two, file is free.
 */
int file_read_named(struct file *file, const char *path, struct stat *st, file_check *check,
		    void *arg);

/*
 * Keeps files that are opened later from becoming standard input, output or error where these are
 * closed: they would be read, or fill with reports and messages. Using them fails as before.
 */
void file_keep_standard(void);

void file_free(struct file *file);

/*
 * How many bytes of a regular file count where they bound what reading it may take: those on disk,
 * so that holes are no reason for more; but 64 MiB of its size in any case, because file systems
 * may be late with the number, or not tell it.
 */
uint64_t file_weight(const struct stat *st);

/* Whether a regular file is next to nothing but holes, whose reading may last for hours: file
 * systems compress, but nothing that anybody profiles with so much. */
bool file_is_hollow(const struct stat *st);

/* Whether a's contents were changed after b's. */
bool file_is_newer(const struct stat *a, const struct stat *b);

#endif
