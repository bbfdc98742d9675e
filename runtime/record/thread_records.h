/* SPDX-License-Identifier: MIT */
/*
 * The records of living and ended threads, to which samples refer: struct gmon_ext_thread, in a
 * block (see gmon_live.h). A record has the thread's number, name and times. Async-signal-safe.
 */
#ifndef RECORD_THREAD_RECORDS_H
#define RECORD_THREAD_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <gmon_ext.h>

/* The first record stands for threads that are not known; it has no number and no name. */
enum { THREAD_RECORDS_UNKNOWN = 0, THREAD_RECORDS_ROOM = 16384 };

/* Makes the block; to be called before the other functions. Returns false if there is no memory. */
bool thread_records_start(void);

/*
 * Adds a record of the thread with the kernel's number tid. Returns THREAD_RECORDS_UNKNOWN if there
 * is no room.
 */
uint32_t thread_records_add(int32_t tid);

/* Updates the name in the record of the calling thread. */
void thread_records_name(uint32_t record);

/* Updates the name in the record of any living thread of the process. */
void thread_records_name_of(uint32_t record, int32_t tid);

/* Sets the CPU time of a record's thread, in ns. */
void thread_records_cpu(uint32_t record, uint64_t ns);

/*
 * Adds a signal of the clock that counted `ticks` to looks and squares (gmon_ext.h). To be called
 * in the thread's handler, or when its clock is stopped; for THREAD_RECORDS_UNKNOWN anywhere.
 */
void thread_records_weigh(uint32_t record, uint32_t ticks);

/*
 * Returns the newest record of the thread with the kernel's number tid; THREAD_RECORDS_UNKNOWN:
 * there is none. Linear.
 */
uint32_t thread_records_find(int32_t tid);

/*
 * Adds nanoseconds in which a thread was watched, and in which it was ready to run while others
 * ran. Only the helper calls it.
 */
void thread_records_add_times(uint32_t record, uint64_t life, uint64_t runnable);

/* Returns the number of records, at least one. */
uint32_t thread_records_number(void);

/* Copies the present contents of a record. */
void thread_records_copy(uint32_t record, struct gmon_ext_thread *to);

/* Zeroes times and looks of all records. */
void thread_records_zero(void);

/* In the child of a fork, after count_block_renew_all(): removes all records. */
void thread_records_forked(void);

#endif
