/* SPDX-License-Identifier: MIT */
/*
 * GMON=crash: the file whose pages hold the data of blocks (count_block.h), so that counts survive
 * the process however it dies; its format is include/gmon_live.h. This is the file alone: creating,
 * locking, finding and removing it. Which name it has, and when it is made, is write/live.h.
 *
 * No descriptor is kept: the program could close it, or pass it on. The file is opened anew for
 * each block, by its name, and used only if it is still the same file. Everything here is
 * async-signal-safe.
 */
#ifndef COUNT_LIVE_FILE_H
#define COUNT_LIVE_FILE_H

#include <stddef.h>

/*
 * Creates the file `path`, which begins with `head`, locks it, and lets blocks from here on lie in
 * it. `name` is for messages. Both strings must stay.
 *
 * Replaces a live file that a dead process of the same user has left. 0; -EBUSY: its process is
 * alive; -EEXIST: another kind of file has the name; or another -errno. After an error nothing has
 * changed.
 */
long live_file_create(const char *path, const char *name, const void *head, size_t head_bytes);

/* The file's path; NULL: there is none, and blocks are private. */
const char *live_file_path(void);

/* Opens the file. Its descriptor, or -errno; -ESTALE if another file has the name. */
long live_file_open(void);

/* Blocks from here on are private; the file stays as it is. */
void live_file_forget(void);

/*
 * As live_file_forget(), and removes the file, unless another file has the name, or a filter of
 * system calls may kill the process for it (sandbox.h).
 */
void live_file_remove(void);

/* Says once on stderr that counts are missing in the file. `error` is -errno or 0. */
void live_file_say_lost(const char *what, long error);

#endif
