/* SPDX-License-Identifier: MIT */
/*
 * GMON=crash: when the live file (count/live_file.h) is made and removed. Its name is that of the
 * profile with ".live" added, and with the number of the process if a living process has that file,
 * or it is some other file. It is removed when the profile was written, and stays if the process
 * dies before.
 */
#ifndef WRITE_LIVE_H
#define WRITE_LIVE_H

/* With GMON=crash, before the first block of counts is made: makes the file and handles SIGBUS. */
void live_start(void);

/*
 * In the child of a fork, before its counts are zeroed: puts its own file off until it has used
 * LIVE_CHILD_MS of CPU time. Nearly all children call exec() before that, and leave no file.
 */
enum { LIVE_CHILD_MS = 20 };

void live_forked(void);

/*
 * In the handler of a tick: makes the file that was put off, if it is time, and moves into it what
 * the calling thread has counted so far.
 */
void live_tick(void);

/* In the child of a fork that will get no ticks: the same, at once. */
void live_without_ticks(void);

/* After the profile was written: removes the file. Async-signal-safe. */
void live_end(void);

/* After the profile could not be written: says where the counts are. Async-signal-safe. */
void live_keep(void);
#endif
