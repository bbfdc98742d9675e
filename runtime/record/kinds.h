/* SPDX-License-Identifier: MIT */
/*
 * What ticks of stacks are of: the records of the extension's section KIND, and the numbers that
 * samples have in stacks.h. Kind 0, KINDS_CPU, is CPU time; with GMON=clock=wall, kind 1 is
 * KINDS_OFF_CPU. Others are added before samples of them are. There are at most KINDS_ROOM
 * (state.h).
 */
#ifndef RECORD_KINDS_H
#define RECORD_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include <gmon_ext.h>

/* In the thread that starts the recording, after strings_start(): there is kind 0, and kind 1 if
 * threads are watched. */
void kinds_start(void);

/*
 * The number of a kind, which is added if none has this name: `rate` ticks are one of a dimension,
 * whose name has 14 bytes at most. In the same thread. KINDS_ROOM: there is no room.
 */
uint32_t kinds_add(const char *name, uint32_t rate, const char *dimension, char abbreviation);

/* How many kinds there are: one at least. */
uint32_t kinds_number(void);

/* What a kind, which is there, says in the file. */
struct gmon_ext_kind kinds_copy(uint32_t kind);

#endif
