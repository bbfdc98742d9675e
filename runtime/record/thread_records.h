/* SPDX-License-Identifier: MIT */
/*
 * The threads that samples are of, living and ended, each with its number, name and CPU time: as
 * records of a block (see gmon_live.h), struct gmon_ext_thread. Async-signal-safe.
 */
#ifndef RECORD_THREAD_RECORDS_H
#define RECORD_THREAD_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <gmon_ext.h>

/* The thread of samples whose thread is not known: the first record, without number or name. */
enum { THREAD_RECORDS_UNKNOWN = 0, THREAD_RECORDS_ROOM = 16384 };

/* Makes room for records. False: no memory. Before other calls. */
bool thread_records_start(void);

/* A record for the thread with a kernel's number; THREAD_RECORDS_UNKNOWN if there is no room. */
uint32_t thread_records_add(int32_t tid);

/* Notes what the calling thread, whose record it is, is called. */
void thread_records_name(uint32_t record);

/* The same for any living thread of the process. */
void thread_records_name_of(uint32_t record, int32_t tid);

/* Notes the CPU time of a record's thread, in ns. */
void thread_records_cpu(uint32_t record, uint64_t ns);

/*
 * Notes that a look at a record's thread counted so many ticks. In the thread's handler, or when
 * its clock is stopped; for THREAD_RECORDS_UNKNOWN anywhere.
 */
void thread_records_weigh(uint32_t record, uint32_t ticks);

/* The newest record of a thread by the kernel's number, or THREAD_RECORDS_UNKNOWN. Linear. */
uint32_t thread_records_find(int32_t tid);

/* A thread was watched for so long, in ns, and so much of it kept from running by others. Of one
 * helper at a time. */
void thread_records_add_times(uint32_t record, uint64_t life, uint64_t runnable);

/* How many records there are: one at least. */
uint32_t thread_records_number(void);

/* What a record, which is there, says by now. */
void thread_records_copy(uint32_t record, struct gmon_ext_thread *to);

/* No thread has used CPU time so far, or was looked at. */
void thread_records_zero(void);

/* In the child of a fork, after count_block_renew_all(): there are no records. */
void thread_records_forked(void);

#endif
