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
 * Writes the extension of the profile `path`, whose bytes have this stamp. If there is one already,
 * and files can be renamed, the new one waits for ext_publish() as PATH.ext.STAMP, with the stamp
 * as 16 hexadecimal digits: the old one belongs to the profile as long as that is the old one, too.
 * If writing fails, a line on stderr says so. Recording may continue meanwhile.
 */
void ext_write(const char *path, uint64_t stamp);

/*
 * The profile has its name: gives the extension that was written last its own, or removes that of
 * an older profile if writing failed.
 */
void ext_publish(const char *path);

/* The profile could not be written: removes the extension that waits. */
void ext_drop(const char *path);

/* Removes the extension of `path`, if the file with its name is an extension. */
void ext_remove(const char *path);

#endif
