/* SPDX-License-Identifier: MIT */
/* Writing the profile. */
#ifndef WRITE_H
#define WRITE_H

/*
 * Writes all that was counted so far, under a temporary name that becomes the profile's at the end:
 * a reader sees the old file or the whole new one. Says on stderr what fails. Counting may go on.
 * 0 or -errno. Async-signal-safe; -EBUSY if a write of the same thread is under way and `last` is
 * not set.
 */
long write_profile(int last);

/* In the child of a fork: whoever was writing is not in this process. */
void write_forked(void);

#endif
