/* SPDX-License-Identifier: MIT */
/* Writing the profile. */
#ifndef WRITE_WRITE_H
#define WRITE_WRITE_H

#include <stdbool.h>
#include <stddef.h>

struct objects;

/*
 * Writes all that was counted so far, under a temporary name that becomes the profile's at the end:
 * a reader sees the old file or the whole new one. Says on stderr what fails. Counting may go on.
 * 0 or -errno. Async-signal-safe; -EBUSY if a write of the same thread is under way and `last` is
 * not set.
 */
long write_profile(bool last);

/*
 * The bytes of the profile's file, as many as `room` says, into memory. How many there are; 0: a
 * write of the same thread is under way.
 */
size_t write_copy(void *bytes, size_t room);

/* Makes the file of the ranks' sum (settings_sum_path()) of n bytes. Says on stderr what fails. 0
 * or -errno. */
long write_sum(const void *bytes, size_t n);

/*
 * Writes beside the profile one of each object that has counts or samples, under the profile's name
 * with the object's added. Says on stderr what fails. Not async-signal-safe.
 */
void write_objects(const struct objects *objects);

/* In the child of a fork: whoever was writing is not in this process. */
void write_forked(void);

#endif
