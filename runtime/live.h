/* SPDX-License-Identifier: MIT */
/*
 * GMON=crash: the counts lie in a file beside the profile's, called like it with ".live" added (see
 * gmon_live.h). It goes when the profile has been written, and stays if the process dies before.
 */
#ifndef LIVE_H
#define LIVE_H

/* Before the first block of counts: makes the file, if it is asked for. */
void live_start(void);

/* In the child of a fork, before its counts are made zero: a file of its own. */
void live_forked(void);

/* The profile is written: removes the file. */
void live_end(void);

#endif
