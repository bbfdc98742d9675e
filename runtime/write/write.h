/* SPDX-License-Identifier: MIT */
/*
 * Writing the profile: which files, under which names. One thread writes at a time; another waits
 * up to 10 s for it. Errors are lines on stderr.
 */
#ifndef WRITE_WRITE_H
#define WRITE_WRITE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes all that was counted so far, with its stacks and events, under a temporary name that
 * becomes the profile's at the end: a reader sees the old file or the whole new one. Counting may
 * go on. 0 or -errno; -EBUSY if a write is under way, in the same thread or for 10 s in another:
 * with `last` set, the profile is written all the same. Async-signal-safe.
 */
long write_profile(bool last);

/*
 * Copies the first `room` bytes of what would be the profile's file. Returns how many bytes the
 * file has, which may be more than `room`; 0 if a write is under way.
 */
size_t write_copy(void *bytes, size_t room);

/* Writes n bytes as the sum of all ranks (profile_name_make_sum()). 0 or -errno. */
long write_sum(const void *bytes, size_t n);

/*
 * With GMON=libs: writes a file for each shared object in which something was recorded, under the
 * profile's name with the object's added. Not async-signal-safe.
 */
void write_objects(void);

/* In the child of a fork: no thread of this process is writing. */
void write_forked(void);

#endif
