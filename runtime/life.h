/* SPDX-License-Identifier: MIT */
/* The life of a recording; <gmon.h> has the calls that programs make. */
#ifndef LIFE_H
#define LIFE_H

#include <stdint.h>

/*
 * READY -> RUNNING or STOPPED -> RUNNING with a histogram of the code in [low, high); nothing in
 * other phases. Async-signal-safe but for what a stopped recording counted: others may add to that
 * while it becomes zero.
 */
void life_start(uintptr_t low, uintptr_t high);

#endif
