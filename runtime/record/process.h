/* SPDX-License-Identifier: MIT */
/*
 * What a profile by GMON=run tells of its process: struct gmon_ext_process. Async-signal-safe but
 * for process_start().
 */
#ifndef RECORD_PROCESS_H
#define RECORD_PROCESS_H

#include <stdint.h>

#include <gmon_ext.h>

/* Notes the beginning of the recording, and the command; before main(). */
void process_start(void);

/* In the child of a fork: a process of its own has begun. */
void process_forked(void);

/* Notes how the process is about to end; `status` is that of exit(), or the signal. */
void process_end(enum gmon_ext_ending ending, int32_t status);

/* All of it as it is now. */
void process_copy(struct gmon_ext_process *process);

#endif
