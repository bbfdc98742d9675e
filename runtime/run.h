/* SPDX-License-Identifier: MIT */
/*
 * GMON=run: a recording of a program that was not built for one, from its start. `gprof --run`
 * loads the shared library into it, and says by only=DEVICE:INODE which executable it is for: what
 * runs before that, such as env, is left alone.
 *
 * Not async-signal-safe: before main() only.
 */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>

/* Whether the process is one to record by GMON=run. */
bool run_is_wanted(void);

/*
 * Takes out of the environment what gprof put in, so that programs which this one starts are left
 * alone: the library from LD_PRELOAD, and GMON from "run" on.
 */
void run_hide(void);

#endif
