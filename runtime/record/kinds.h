/* SPDX-License-Identifier: MIT */
/*
 * The kinds of ticks: the records of section KIND in gmon_ext.h, to which samples refer by number.
 * Kind 0, KINDS_CPU, is CPU time; with GMON=clock=wall, KINDS_OFF_CPU, KINDS_ELAPSED,
 * KINDS_CRITICAL and KINDS_BLAME follow. Others are added before their samples. There are at most
 * KINDS_ROOM (state.h).
 */
#ifndef RECORD_KINDS_H
#define RECORD_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include <gmon_ext.h>

/*
 * Adds the kinds of time. To be called in the thread that starts the recording, after
 * strings_start().
 */
void kinds_start(void);

/*
 * Returns the number of the kind with this name, which is added if there is none. `rate` ticks are
 * one unit of the dimension, whose name has at most 14 bytes. All strings are literals. To be
 * called in the same thread as kinds_start(). Returns KINDS_ROOM if there is no room.
 */
uint32_t kinds_add(const char *name, uint32_t rate, const char *dimension, char abbreviation);

/* Puts the ticks without a stack of each kind into the live file. */
void kinds_share(void);

/* How many kinds there are: at least one. */
uint32_t kinds_number(void);

/* Returns the record of a kind, for the file. */
struct gmon_ext_kind kinds_copy(uint32_t kind);

#endif
