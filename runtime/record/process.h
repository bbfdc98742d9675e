/* SPDX-License-Identifier: MIT */
/*
 * The record of the process, struct gmon_ext_process, for profiles with GMON=run.
 * Async-signal-safe, but for process_start().
 */
#ifndef RECORD_PROCESS_H
#define RECORD_PROCESS_H

#include <stdint.h>

#include <gmon_ext.h>

/* Before main(): notes when the recording begins, and the command. */
void process_start(void);

/* In the child of a fork: begins a record of its own. */
void process_forked(void);

/* Notes how the process is about to end. `status`: that of exit(), or the signal. */
void process_end(enum gmon_ext_ending ending, int32_t status);

/* The record, with the times until now. */
void process_copy(struct gmon_ext_process *process);

#endif
