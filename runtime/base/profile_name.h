/* SPDX-License-Identifier: MIT */
/* The names of the files that a recording writes, made from its settings. Async-signal-safe. */
#ifndef BASE_PROFILE_NAME_H
#define BASE_PROFILE_NAME_H

#include "base/settings.h"

/*
 * Puts the name of the profile into path. `forked`: the number of the process is added if nothing
 * else makes the name this process's own; with mpi=sum, so is the rank. `fallback`: the name to use
 * when the one by GMON_OUT_PREFIX cannot be written. False: the name is too long.
 */
bool profile_name_make(const struct settings *settings, char path[PATH_BYTES], int32_t pid,
		       bool forked, bool fallback);

/*
 * Puts the name of the sum of all ranks' profiles into path: gmon.sum, or the prefix with ".sum"
 * added, or GMON=file with "sum" for the rank and the process, or with ".sum" added if it contains
 * neither. False: the name is too long.
 */
bool profile_name_make_sum(const struct settings *settings, char path[PATH_BYTES]);

/*
 * With dir=start: whether the process has changed its root, so that the name of the directory no
 * longer leads to the directory of the start.
 */
bool profile_name_lost_directory(const struct settings *settings);

#endif
