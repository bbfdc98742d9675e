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
 * Whether the process has another C library than the one that this was built for: LD_PRELOAD is
 * passed on to whatever a program starts. In the shared library alone.
 */
bool life_is_elsewhere(void) __attribute__((weak));

#endif
