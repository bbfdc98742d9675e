/* SPDX-License-Identifier: MIT */
/*
 * GMON=run: recording a program that was not built for it, from its start. `gprof --run` preloads
 * the shared library, and says by only=MAJOR:MINOR:INODE which executable is meant: programs that
 * run before that one, such as env, are not recorded.
 *
 * Async-signal-safe unless a comment says otherwise.
 */
#ifndef PRELOAD_RUN_H
#define PRELOAD_RUN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the process is to be recorded by GMON=run. */
bool run_is_wanted(void);

/*
 * Chooses a name for the profile that no file has: before an exec() this process may have written
 * one, and numbers of processes are used again. Also called in the child of a fork.
 */
void run_name(void);

/*
 * Removes from the environment what gprof has added, so that the program does not find it: the
 * library from LD_PRELOAD, and GMON from "run" on. Before main() only.
 */
void run_hide(void);

/*
 * A copy of the environment with what run_hide() has removed, for a program that is to be recorded,
 * too: it is added to the variables as they now are, such as an LD_PRELOAD of the program's own.
 * run_environment_bytes() tells how much memory it takes, which is aligned as a pointer; 0: nothing
 * was removed, our library is not to be found below the root that the process has by now, or it is
 * more than RUN_ENVIRONMENT_MOST, so that it fits on the stack of a child of vfork(), where other
 * memory would be lost.
 */
enum { RUN_ENVIRONMENT_MOST = 128 * 1024 };
size_t run_environment_bytes(char *const *environment);
char **run_environment(void *memory, char *const *environment);

/* Whether a file is the executable of only=. */
bool run_is_program(const char *path);

#endif
