/* SPDX-License-Identifier: MIT */
/* The life of a recording; <gmon.h> has the calls that programs make. */
#ifndef LIFE_H
#define LIFE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * READY -> RUNNING or STOPPED -> RUNNING with a histogram of the code in [low, high); nothing in
 * other phases. Async-signal-safe but for what a stopped recording counted: others may add to that
 * while it becomes zero.
 */
void life_start(uintptr_t low, uintptr_t high);

/*
 * RUNNING -> HELD: ends the recording without writing the profile, which is complete then:
 * _mcleanup() writes it, as exit() does, or life_drop() gives it up. False: nothing records here.
 * Not async-signal-safe.
 */
bool life_hold(void);

/* HELD -> STOPPED, with no file; says what _mcleanup() says. Not async-signal-safe. */
void life_drop(void);

/*
 * Whether the process has another C library than the one that this was built for: LD_PRELOAD is
 * passed on to whatever a program starts. In the shared library alone.
 */
bool life_is_elsewhere(void) __attribute__((weak));

#endif
