/* SPDX-License-Identifier: MIT */
/*
 * GMON=crash: the counts lie in a file beside the profile's, called like it with ".live" added (see
 * gmon_live.h). It goes when the profile has been written, and stays if the process dies before.
 * Where a living process has a file of that name, or somebody else any, this one's has its number
 * in the name.
 */
#ifndef LIVE_H
#define LIVE_H

/*
 * Before the first block of counts: makes the file, if it is asked for, and handles SIGBUS, for
 * those that cut it.
 */
void live_start(void);

/*
 * In the child of a fork, before its counts are made zero: it is to have a file of its own, from
 * live_tick() on. One that soon calls exec(), as most do, leaves none.
 */
void live_forked(void);

/*
 * In the handler of a tick, when the process has used some CPU time: makes the file that
 * live_forked() put off, and moves into it what was counted so far.
 */
void live_tick(void);

/* The profile is written: removes the file. */
void live_end(void);

/* It could not be written: says where the counts are. Async-signal-safe, as live_end() is. */
void live_keep(void);

#endif
