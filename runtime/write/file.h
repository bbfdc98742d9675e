/* SPDX-License-Identifier: MIT */
/*
 * Writing a file so that its readers see the old one or the whole new one. It makes system calls
 * only, and checks each. Async-signal-safe. A writer writes one file at a time. Several can be in
 * use at once: the function that fills one file may itself write another.
 */
#ifndef WRITE_FILE_H
#define WRITE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { FILE_BUFFER_BYTES = 16384 };

/* Called with the stamp of all bytes of a file (stamp.h) when they are written, and before the file
 * gets its name. */
typedef void file_written(const void *what, uint64_t stamp);

/* Memory that gets the bytes instead of a file. */
struct file_memory {
	unsigned char *bytes;
	size_t room;
	size_t used; /* number of all bytes, including those for which there was no room */
};

/* A file that is being written. The caller sets only `hasty`. */
struct file_writer {
	unsigned char bytes[FILE_BUFFER_BYTES];
	size_t used;
	int fd;
	struct file_memory *memory; /* NULL: a file is written */
	long error;                 /* -errno of the first write that failed */
	bool hasty;                 /* do not wait for the disk */
	file_written *written;      /* NULL: nothing is called */
	uint64_t stamp; /* checksum (stamp.h) of the bytes so far, if `written` is set */
	char temporary[PATH_BYTES + 32]; /* the file's name until it is complete */
};

/* Writes the whole contents of a file by calls of file_put(). Need not handle errors. */
typedef void file_fill(struct file_writer *file, const void *what);

/*
 * Writes a file under a temporary name, and renames it to `path` when fill(file, what) has written
 * all of it and it is on the disk. `path` must be free or a regular file that can be written. If
 * the directory allows no new file, or does not allow the old one to be replaced (another user's
 * file in a sticky directory, a mount point), the old one is written in place, for which fill() is
 * called again. The same is done in a sandbox (sandbox_was_closed()), where the system calls for a
 * new file may kill. Returns 0 or -errno; after an error the old file is unchanged, unless it was
 * written in place.
 */
long file_replace(struct file_writer *file, const char *path, file_fill *fill, const void *what);

/*
 * Does the same, and calls written(what, stamp) when all is written, before the file is renamed to
 * `path`. If the file is written in place, calls it again afterwards.
 */
long file_replace_stamped(struct file_writer *file, const char *path, file_fill *fill,
			  file_written *written, const void *what);

/*
 * Copies the first `room` bytes of what fill(file, what) writes into memory. Returns how many bytes
 * it wrote.
 */
size_t file_copy(struct file_writer *file, void *bytes, size_t room, file_fill *fill,
		 const void *what);
/* To be called by a file_fill: adds n bytes to the file. After an error nothing more is written. */
void file_put(struct file_writer *file, const void *bytes, size_t n);

#endif
