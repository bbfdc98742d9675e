/* SPDX-License-Identifier: MIT */
/* What is said on stderr when a recording ends. */
#ifndef WRITE_SUMMARY_H
#define WRITE_SUMMARY_H

/*
 * Says on stderr how many calls could not be counted, if any; with GMON=verbose also what was
 * recorded, and why samples are missing if they are. Async-signal-safe.
 */
void summary_say(void);

#endif
