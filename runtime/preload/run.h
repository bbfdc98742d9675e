/* SPDX-License-Identifier: MIT */
/*
 * GMON=run: a recording of a program that was not built for one, from its start. `gprof --run`
 * loads the shared library into it, and says by only=DEVICE:INODE which executable it is for: what
 * runs before that, such as env, is left alone.
 *
 * Async-signal-safe where nothing else is said.
 */
#ifndef PRELOAD_RUN_H
#define PRELOAD_RUN_H

#include <stdbool.h>

/* Whether the process is one to record by GMON=run. */
bool run_is_wanted(void);

/*
 * Chooses a name for the profile that no other has: a process that exec() has given another program
 * has written one already, and numbers of processes come again. Also in the child of a fork.
 */
void run_name(void);

/*
 * Before main() only: takes out of the environment what gprof put in, so that programs which this
 * one starts are left alone: the library from LD_PRELOAD, and GMON from "run" on.
 */
void run_hide(void);

/*
 * The environment with what run_hide() took out, for the same program once more: in memory of its
 * own, which run_free_environment() gives back. NULL: there is no memory, or nothing was hidden.
 */
char **run_environment(char *const *environment);
void run_free_environment(char **environment);

/* Whether a file is the one that only= names. */
bool run_is_program(const char *path);

#endif
