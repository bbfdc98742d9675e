/* SPDX-License-Identifier: MIT */
/*
 * GMON=crash and GMON=windows: when the live file (count/live_file.h) is made and removed, or the
 * window (count/live_window.h) is taken. The name of the file is that of the
 * profile with ".live" added, and with the number of the process if a living process has that file,
 * or it is some other file. It is removed when the profile was written, and stays if the process
 * dies before.
 */
#ifndef WRITE_LIVE_H
#define WRITE_LIVE_H

#include <stdbool.h>

/*
 * With GMON=crash, before the first block of counts is made: makes the file and handles SIGBUS.
 * With GMON=windows: takes a window, or returns true if the process waits for its first tick to do
 * that, since most child processes end before; put_off() is called then.
 */
bool live_start(void put_off(void));

/*
 * In the child of a fork, before its counts are zeroed: puts its own file off until it has used
 * LIVE_CHILD_MS of CPU time, or its window until its first tick. Nearly all children call exec()
 * before that, and leave nothing. Where waiting is recorded, which begins at once, the window is
 * not put off.
 */
enum { LIVE_CHILD_MS = 20 };

void live_forked(void);

/* Whether the process has no window so far: there is nowhere to count but in tables of calls. */
bool live_is_late(void);

/*
 * In the handler of a tick: makes what was put off, if it is time, and moves into it what the
 * calling thread has counted so far. False: there is nowhere to count the tick.
 */
bool live_tick(void);

/* Before the process ends without a window: leaves its record. */
void live_tell_ended(void);

/* Before the process ends, or becomes another program: puts into its window what is known then. */
void live_share(void);

/* In the child of a fork that will get no ticks, or before a process has a second thread: makes
 * what was put off. */
void live_without_ticks(void);

/* After the profile was written: removes the file. Async-signal-safe. */
void live_end(void);

/* After the profile could not be written: says where the counts are. Async-signal-safe. */
void live_keep(void);
#endif
