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
 * Writes all counts so far, with stacks and events, under a temporary name, and renames the file at
 * the end: a reader sees the old file or the whole new one. Counting may continue meanwhile.
 * Returns 0 or -errno; -EBUSY if a write is under way, in the same thread or for 10 s in another:
 * with `last` set, the profile is written nevertheless. Async-signal-safe.
 */
long write_profile(bool last);

/*
 * Copies the first `room` bytes of the profile's file without writing it. Returns how many bytes
 * the file would have, which may be more than `room`; 0 if a write is under way.
 */
size_t write_copy(void *bytes, size_t room);

/* Writes n bytes as the sum of all ranks, named by profile_name_make_sum(). Returns 0 or -errno. */
long write_sum(const void *bytes, size_t n);

/*
 * With GMON=libs: writes a file for each shared object in which something was recorded; its name is
 * the profile's with the object's added. Not async-signal-safe.
 */
void write_objects(void);

/* To be called in the child of a fork: a write that was under way is one of the parent's threads'.
 */
void write_forked(void);

#endif
