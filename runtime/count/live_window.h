/* SPDX-License-Identifier: MIT */
/*
 * GMON=run,windows=...: the file of `gprof --run` (struct gmon_live_windows in gmon_live.h), a
 * window of which takes the place of the process's own live file. Nothing here has a name, and
 * gprof reads the windows when the program has ended, so whatever ends, confines or replaces the
 * process loses nothing.
 *
 * The descriptor is needed once, to map the head of the file: the kernel makes more mappings of a
 * file from one that is there (mremap() of a shared mapping with an old size of 0).
 *
 * Everything here is async-signal-safe.
 */
#ifndef COUNT_LIVE_WINDOW_H
#define COUNT_LIVE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gmon_live_ended;

/*
 * Before main(): maps the head of the file, and counts this process there. The descriptor is the
 * one that was inherited, or gprof's own by /proc. False: no descriptor leads to the file.
 */
bool live_window_start(void);

/* In the child of a fork: it has no window so far, and is counted as a process. */
void live_window_forked(void);

/*
 * Takes the next window, which begins with the n bytes of `head`, at most GMON_LIVE_PAGE. False:
 * there is no file, or no window is left, or no memory.
 */
bool live_window_take(const void *head, size_t n);

/* Whether the process has a window. */
bool live_window_is_there(void);

/*
 * Maps bytes of the window, shared, to read and write; `offset` and `bytes` are multiples of the
 * kernel's page. NULL: they are beyond its end, or no memory.
 */
char *live_window_map(uint64_t offset, size_t bytes);

/* Adds the record of this process, which ends without a window; by the descriptor, if it is there.
 */
void live_window_end(const struct gmon_live_ended *record);

/* Whether nobody can shorten the file, so that touching it never raises SIGBUS. */
bool live_window_is_sealed(void);

#endif
