/* SPDX-License-Identifier: MIT */
/*
 * Threads that count: each has an entry with a table and a clock. When a thread has ended, a later
 * one adopts its entry, with the counts: memory grows with the threads that are alive at once, not
 * with all that there were.
 *
 * The kernel is asked whether a thread's number is still in use. A destructor of the C library also
 * tells that a thread is about to end, but others that count may still run after it; so that is
 * used for times only.
 */
#ifndef COUNT_THREAD_H
#define COUNT_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "count/table.h"
#include "sample/clock.h"
#include "sample/event.h"

struct stack_recorder;

struct thread {
	struct thread *next;        /* set before the entry is in gmon.threads */
	_Alignas(8) uint64_t owner; /* the kernel's number of the thread; in the upper half, how
				       often that has changed. Any thread, by compare-and-swap */
	struct table *table;        /* the owner's newest; by the owner */
	struct clock clock;
	struct event event; /* with GMON=event: see event.h */
	uintptr_t mark;     /* with GMON=libs: `self` for ticks at clock.last_pc, or 0; by the
			       owner */
	struct stack_recorder *recorder; /* with GMON=stacks: see stacks.c; by the owner */
	uint32_t generation; /* gmon.generation when `table` was made; after a fork, entries have an
				older one. By the owner */
};

/* Once, before other threads exist: arranges for thread_end() to be called, if that is possible. */
void thread_prepare(void);

/* The calling thread's table; NULL before its first call. The entry code reads it. */
extern __thread struct table *gmon_table;

/*
 * The calling thread's first call: gives it a table, adopted or new, sets gmon_table, and arms its
 * clock if the recording runs. Without memory, gmon_table becomes a table that is always empty.
 * Async-signal-safe; may be interrupted by itself.
 */
struct table *thread_begin(void);

/*
 * Adds n to a pair in the calling thread's table, which is made or grows as needed. Without memory
 * for that, adds 1 to gmon.declined. Async-signal-safe; may be interrupted by itself.
 */
void thread_add(uintptr_t from, uintptr_t self, uint64_t n);

/* Whether there was no memory for the calling thread's table. */
bool thread_refused(void);

/* The calling thread's entry, or NULL. */
struct thread *thread_self(void);

/*
 * The entries of the process, of living and ended threads. NULL: no more. Linear also in the
 * entries of the processes that it was forked from.
 */
struct thread *thread_first(void);
struct thread *thread_next(const struct thread *thread);

/* The kernel's number of a thread's owner if that is alive, or 0. */
int32_t thread_alive(const struct thread *thread);

/*
 * In the child of a fork, after count_block_renew_all(): the calling thread is the only one, and
 * goes on with empty tables. Entries of the others are left to later threads. Constant time.
 */
void thread_forked(void);

/* Moves the calling thread's tables into the live file; see count_block_settle(). */
void thread_settle(void);
#endif
