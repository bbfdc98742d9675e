/* SPDX-License-Identifier: MIT */
/*
 * The profile's extension, gmon.out.ext: call stacks, and what was recorded in all modules, in the
 * format of include/gmon_ext.h. Async-signal-safe; one write at a time.
 */
#ifndef WRITE_EXT_H
#define WRITE_EXT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether there is anything to write. */
bool ext_wanted(void);

/*
 * Writes the extension of the profile `path`, whose bytes have that stamp. If that fails, a line on
 * stderr says so, and an older extension is removed. Recording may go on.
 */
void ext_write(const char *path, uint64_t stamp);
/* Removes the file with the name of the extension of `path`, if it is one. */
void ext_remove(const char *path);

#endif
