/* SPDX-License-Identifier: MIT */
/*
 * The record of the process, struct gmon_ext_process, for profiles with GMON=run.
 * Async-signal-safe.
 */
#ifndef RECORD_PROCESS_H
#define RECORD_PROCESS_H

#include <stdint.h>

#include <gmon_ext.h>
#include <gmon_live.h>

/* Before main(), and in the child of a fork: notes which process it is, and when it began. */
void process_begin(void);

/* Once strings can be added: notes the command, and puts the record into the live file. */
void process_start(void);

/* Puts the record with the times until now into the live file. */
void process_share(void);

/* Before main(): keeps the words of the command. */
void process_note_command(const char *const *words);

/* Stores the record with its texts: program as the kernel was given it. */
void process_tell(struct gmon_live_ended *to);

/* Notes how the process is about to end. `status`: exit status, or number of the signal. */
void process_end(enum gmon_ext_ending ending, int32_t status);

/* Copies the record, with the times until now. */
void process_copy(struct gmon_ext_process *process);

#endif
