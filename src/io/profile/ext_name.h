/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of files of call stacks: FILE.ext beside the profile FILE, and FILE.ext.STAMP, with the
 * stamp of a profile (gmon_ext.h) as 16 hexadecimal digits, until that profile has its name, if
 * FILE.ext belongs to an older one. If a writer is killed between the two, the stacks stay there,
 * and readers find them.
 */
#ifndef IO_PROFILE_EXT_NAME_H
#define IO_PROFILE_EXT_NAME_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Returns room, in mem, for the name FILE.ext.STAMP that belongs to `ext`, which is FILE.ext. */
char *ext_name_room(const char *ext, struct arena *mem);

/* Writes that name, for the profile with this stamp, into the room at `to`. */
void ext_name_waiting(char *to, const char *ext, uint64_t stamp);

/* Returns the length of FILE if the name is FILE.ext or FILE.ext.STAMP; else 0. */
size_t ext_name_profile(const char *name);

/* Removes a file of stacks whose profile is gone, if it has this format. */
void ext_name_remove(const char *ext);

/*
 * Removes what killed writers have left of FILE.ext: files that wait for a profile and are at least
 * a minute old, while waiting takes no longer than renaming a file. Not to be called unless
 * FILE.ext belongs to FILE. Linear in the files of the directory.
 */
void ext_name_sweep(const char *ext, const struct arena *mem);

#endif
