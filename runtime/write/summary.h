/* SPDX-License-Identifier: MIT */
/* Messages on stderr when a recording ends. */
#ifndef WRITE_SUMMARY_H
#define WRITE_SUMMARY_H

/*
 * Reports on stderr how many calls could not be counted, if any; with GMON=verbose also what was
 * recorded, and why samples are missing if some are. Async-signal-safe.
 */
void summary_say(void);

#endif
