/* SPDX-License-Identifier: MIT */
/*
 * The strings of gmon_ext.h, such as names of modules and threads, in one block (see gmon_live.h).
 * Records refer to them by offset. Async-signal-safe; several threads may add at once.
 */
#ifndef RECORD_STRINGS_H
#define RECORD_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the block; to be called before the other functions. Returns false if there is no memory. */
bool strings_start(void);

/* Adds a string and returns its offset; 0, which is "", if there is no room. */
uint32_t strings_add(const char *string);

/* Returns all strings, one after the other; sets *nbytes to their length in all, at least 1. */
const char *strings_all(uint32_t *nbytes);

#endif
