/* SPDX-License-Identifier: MIT */
/*
 * Writing a file so that its readers see the old one or the whole new one: system calls only, each
 * checked. Async-signal-safe; a writer is for one file at a time, several may be at work, also one
 * within the fill of another.
 */
#ifndef WRITE_FILE_H
#define WRITE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { FILE_BUFFER_BYTES = 16384 };

/* What is told when all bytes of a file are written, before it gets its name: their stamp, see
 * stamp.h. */
typedef void file_written(const void *what, uint64_t stamp);

/* Where bytes go instead of a file. */
struct file_memory {
	unsigned char *bytes;
	size_t room;
	size_t used; /* how many there were, more than `room` if they did not fit */
};

/* For file_replace(), which sets all of it but `hasty`. */
struct file_writer {
	unsigned char bytes[FILE_BUFFER_BYTES];
	size_t used;
	int fd;
	struct file_memory *memory;      /* or NULL */
	long error;                      /* -errno of the first write that failed */
	bool hasty;                      /* the caller sets it: not to wait for the disk */
	file_written *written;           /* or NULL */
	uint64_t stamp;                  /* of what was put out, if that is to be told */
	char temporary[PATH_BYTES + 32]; /* name, until the file is whole */
};

/* Puts out all that the file is to hold. It need not look for errors. */
typedef void file_fill(struct file_writer *file, const void *what);

/*
 * Writes a file under a temporary name, which becomes `path` when fill(file, what) has put out all
 * of it and it is on the disk. What lies there must be nothing or a file that could be written.
 * Where the directory takes no new file, or does not let the old one be replaced (a sticky one,
 * another's file; a mount point), the old one is written in place, and fill() called again; so it
 * is in a sandbox (sandbox_was_closed()), where the calls for all this may kill. 0 or -errno; after
 * an error the old file is as it was, but for one in such a directory.
 */
long file_replace(struct file_writer *file, const char *path, file_fill *fill, const void *what);

/*
 * As file_replace(), and calls written(what, stamp) before the file becomes `path`, if all was
 * written; again when it is written in place, after that.
 */
long file_replace_stamped(struct file_writer *file, const char *path, file_fill *fill,
			  file_written *written, const void *what);

/*
 * Calls fill(file, what) for bytes in memory: as many as `room` says, at `bytes`. How many there
 * were.
 */
size_t file_copy(struct file_writer *file, void *bytes, size_t room, file_fill *fill,
		 const void *what);

/* For a fill: adds n bytes. After an error nothing more is written. */
void file_put(struct file_writer *file, const void *bytes, size_t n);

#endif
