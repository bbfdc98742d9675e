/* SPDX-License-Identifier: MIT */
/*
 * The strings to which records of the profile's extension refer: names of modules and threads, in
 * one block (see gmon_live.h). Async-signal-safe; several may add at once.
 */
#ifndef RECORD_STRINGS_H
#define RECORD_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes room for strings. False: no memory. Before other calls. */
bool strings_start(void);

/* The offset of a string that is added; 0, that of "", if there is no room. */
uint32_t strings_add(const char *string);

/* All of them, each behind the one before it, and how many bytes that is: one at least. */
const char *strings_all(uint32_t *nbytes);

#endif
