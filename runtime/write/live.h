/* SPDX-License-Identifier: MIT */
/*
 * GMON=crash: the counts lie in a file beside the profile's, called like it with ".live" added (see
 * gmon_live.h). It goes when the profile has been written, and stays if the process dies before.
 * Where a living process has a file of that name, or somebody else any, this one's has its number
 * in the name.
 */
#ifndef WRITE_LIVE_H
#define WRITE_LIVE_H

/*
 * Before the first block of counts: makes the file, if it is asked for, and handles SIGBUS, for
 * those that cut it.
 */
void live_start(void);

/*
 * In the child of a fork, before its counts are made zero: it is to have a file of its own, once it
 * has used LIVE_CHILD_MS of CPU time. One that calls exec() before that, as nearly all do, leaves
 * none.
 */
enum { LIVE_CHILD_MS = 20 };

void live_forked(void);

/*
 * In the handler of a tick: makes the file that live_forked() put off if it is time, and moves into
 * it what was counted so far.
 */
void live_tick(void);

/* In the child of a fork in which nothing will tick: the same, at once. */
void live_without_ticks(void);

/* The profile is written: removes the file. */
void live_end(void);

/* It could not be written: says where the counts are. Async-signal-safe, as live_end() is. */
void live_keep(void);

#endif
