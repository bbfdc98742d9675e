/* SPDX-License-Identifier: MIT */
/* The life of a recording; <gmon.h> has the calls that programs make. */
#ifndef LIFE_H
#define LIFE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * READY -> RUNNING or STOPPED -> RUNNING, with a histogram of the code in [low, high). In other
 * phases does nothing. Async-signal-safe, but if a recording is started again, counts that other
 * threads add while the old ones are zeroed may stay.
 */
void life_start(uintptr_t low, uintptr_t high);

/*
 * RUNNING -> HELD: ends the recording; the profile is complete but not written. _mcleanup(), which
 * exit() calls, will write it, unless life_drop() gives it up. Returns false if this process
 * records nothing. Not async-signal-safe.
 */
bool life_hold(void);

/* HELD -> STOPPED without a file; writes the same messages as _mcleanup(). Not async-signal-safe.
 */
void life_drop(void);

/*
 * Ends the recording for good and writes its profile. From then on nothing of ours makes a system
 * call: the program is about to restrict them. Not async-signal-safe.
 */
void life_shut(void);

/*
 * When a library of the program is about to be initialised: with GMON=calls=libs the recording
 * starts now, and not in our constructor, so that what constructors of libraries call is counted.
 * For glibc, which initialises itself first. Not async-signal-safe.
 */
void life_begin_early(void);

#endif
