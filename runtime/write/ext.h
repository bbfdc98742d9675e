/* SPDX-License-Identifier: MIT */
/*
 * The profile's extension, which holds call stacks and what is in all modules, as
 * include/gmon_ext.h has it. Async-signal-safe; one write at a time.
 */
#ifndef WRITE_EXT_H
#define WRITE_EXT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether there is anything to write. */
bool ext_wanted(void);

/*
 * Writes all stacks so far, and calls and ticks of all modules, beside the profile `path`, whose
 * bytes have that stamp. What cannot be written is said on stderr, and no older file of the name
 * stays. Counting may go on.
 */
void ext_write(const char *path, uint64_t stamp);

/* Removes what an earlier run has left beside the profile `path`, if it is an extension. */
void ext_remove(const char *path);

#endif
