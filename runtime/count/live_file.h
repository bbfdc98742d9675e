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
#include <stdint.h>

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

/*
 * Opens the file. Its descriptor, or -errno; -ESTALE if another file has the name, -ENODATA if
 * somebody has truncated it. That must not be made longer again: its lost pages would be there as
 * zeros, and no SIGBUS would tell that counts are gone.
 */
long live_file_open(void);

/* Gives zeros to [offset, offset + bytes) of the open file, as sys_reserve(). 0 or -errno. */
long live_file_reserve(int fd, uint64_t offset, uint64_t bytes);

/* Blocks from here on are private; the file stays as it is. */
void live_file_forget(void);

/*
 * As live_file_forget(), and removes the file, unless another file has the name, or a filter of
 * system calls may kill the process for it (sandbox.h).
 */
void live_file_remove(void);

/* Says on stderr that counts are missing in the file. `error` is -errno. */
void live_file_say_incomplete(long error);

/* Says on stderr that counts are lost, as somebody has truncated the file. Of both, only the first
 * is said. */
void live_file_say_truncated(void);

#endif
