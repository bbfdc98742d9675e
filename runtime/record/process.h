/* SPDX-License-Identifier: MIT */
/*
 * The record of the process, struct gmon_ext_process, for profiles with GMON=run.
 * Async-signal-safe, except process_start().
 */
#ifndef RECORD_PROCESS_H
#define RECORD_PROCESS_H

#include <stdint.h>

#include <gmon_ext.h>

/* To be called before main(): notes when the recording begins, and the command. */
void process_start(void);

/* In the child of a fork: begins a record for the child. */
void process_forked(void);

/* Notes how the process is about to end. `status`: exit status, or number of the signal. */
void process_end(enum gmon_ext_ending ending, int32_t status);

/* Copies the record, with the times until now. */
void process_copy(struct gmon_ext_process *process);

#endif
