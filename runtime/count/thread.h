/* SPDX-License-Identifier: MIT */
/*
 * Threads that count: each has a table and a clock. What a thread that has ended leaves behind,
 * counts included, goes to a later one: memory grows with the threads alive at once, not with all
 * there were.
 *
 * The kernel is asked whether the number of a thread is still in use. The C library tells that one
 * is about to end, too, but destructors that count may still come then; so this is for times alone.
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
	_Alignas(8) uint64_t owner; /* kernel's number of the thread; above it, how often that
				       changed. Any thread, by compare-and-swap */
	struct table *table;        /* the owner's newest; by the owner */
	struct clock clock;
	struct event event; /* with GMON=event: see event.h */
	uintptr_t mark;     /* with GMON=libs, of clock.last_pc: see sample.c; by the owner */
	struct stack_recorder *recorder; /* with GMON=stacks: see stacks.c; by the owner */
	uint32_t generation; /* of the process that `table` is of: gmon.generation, or an entry that
				a fork has left. By the owner */
};

/* Once, before other threads exist: lets the ends of threads be known, if that can be. */
void thread_prepare(void);

/* The calling thread's table; NULL before its first call. The entry code looks into it. */
extern __thread struct table *gmon_table;

/*
 * The calling thread's first call: gives it a table, adopted or new, sets gmon_table, and arms its
 * clock if the recording runs. Without memory gmon_table is a table that takes nothing.
 * Async-signal-safe, and may be interrupted by itself.
 */
struct table *thread_begin(void);

/*
 * Adds n to a pair in the calling thread's table, which it makes or grows if need be; where there
 * is no memory for that, to gmon.declined. Async-signal-safe, and may be interrupted by itself.
 */
void thread_add(uintptr_t from, uintptr_t self, uint64_t n);

/* Whether there was no memory for the calling thread's table. */
bool thread_refused(void);

/* The calling thread's, or NULL. */
struct thread *thread_self(void);

/*
 * All threads of the process, living and ended; go on by thread_next(). NULL: no more. Linear in
 * those of the processes that it was forked from, too.
 */
struct thread *thread_first(void);
struct thread *thread_next(const struct thread *thread);

/* The kernel's number of a thread's owner if that is alive, or 0. */
int32_t thread_alive(const struct thread *thread);

/*
 * In the child of a fork, behind count_block_renew_all(): the calling thread is the only one that
 * goes on, with empty tables. What the others had stays for later ones. Takes a moment, however
 * many.
 */
void thread_forked(void);

/* Moves all that the calling thread has counted into the shared file; see count_block_settle(). */
void thread_settle(void);

#endif
