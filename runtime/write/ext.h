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
 * Writes the extension of the profile `path`, whose bytes have this stamp. If that fails, a line on
 * stderr says so, and an older extension is removed. Recording may continue meanwhile.
 */
void ext_write(const char *path, uint64_t stamp);
/* Removes the extension of `path`, if the file with its name is an extension. */
void ext_remove(const char *path);

#endif
