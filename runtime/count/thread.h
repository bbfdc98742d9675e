/* SPDX-License-Identifier: MIT */
/*
 * Threads that count. Each has an entry with a table and a clock. When a thread has ended, a later
 * thread adopts its entry, with the counts; so memory grows with the threads that are alive at the
 * same time, not with all threads ever.
 *
 * The kernel is asked whether a thread's number is still in use. A destructor of the C library is
 * also called when a thread is about to end, but other destructors that count calls may run after
 * it; so it is used for times only.
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
	struct thread *next; /* set before the entry is in gmon.threads */
	_Alignas(8)
		uint64_t owner; /* the kernel's number of the thread; in the upper half, how often
				   the owner has changed. Set by any thread, by compare-and-swap */
	struct table *table;    /* the owner's newest table, or NULL; set by the owner */
	uint32_t expected; /* 1: thread_expect() made it, and its owner has not come so far; set by
			      any thread */
	struct clock clock;
	struct count_block *counts; /* with GMON=calls: see calls.h; set by the owner */
	struct event event;         /* with GMON=event: see event.h */
	/* with GMON=libs: `self` for ticks at clock.last_pc, or 0; set by the owner */
	uintptr_t mark;
	struct stack_recorder *recorder; /* with GMON=stacks: see stacks.c; set by the owner */
	uint32_t generation; /* gmon.generation when `table` was made, which is older in entries
				from before a fork; set by the owner */
	uint32_t slow;       /* calls of thread_add() since it asked whether `table` must grow, */
	_Alignas(8) uint64_t calls; /* and the sum of the table's counts then; set by the owner */
};

/*
 * To be called once, before other threads exist: with GMON=clock=wall, arranges that thread_end()
 * is called at the end of threads, if that is possible.
 */
void thread_prepare(void);

/* The calling thread's table; NULL before its first call. The entry code reads it. */
extern __thread struct table *gmon_table;

/*
 * In a thread that has no entry: gives it one, adopted or new, and arms its clock if the recording
 * runs. It gets a table and other memory when they are needed. Async-signal-safe; may be
 * interrupted by itself.
 */
void thread_enter(enum clock_age age);

/*
 * Makes an entry for another living thread, which that gets by thread_claim(). NULL: it has one, or
 * there is no memory. Linear in the entries.
 */
struct thread *thread_expect(int32_t tid);

/*
 * In a thread without an entry: takes the one that thread_expect() has made for it, if there is
 * one, with its clock. False: nothing was done. Async-signal-safe; linear in the entries if there
 * are such entries at all.
 */
bool thread_claim(void);

/*
 * The calling thread's first call: thread_enter(), unless it has an entry, and gives it a table,
 * adopted or new, in gmon_table. Without memory, that becomes a table that is always empty.
 * Async-signal-safe; may be interrupted by itself.
 */
struct table *thread_begin(void);

/*
 * Adds n to a pair in the calling thread's table, which is made or grows as needed. Without memory
 * for that, adds 1 to gmon.declined. Async-signal-safe; may be interrupted by itself.
 *
 * For pairs that are in none of their first two cells. Which these are is luck, by the addresses
 * that the program has in this run; if they are called so often that it slows the program down, a
 * larger table has them elsewhere.
 */
void thread_add(uintptr_t from, uintptr_t self, uint64_t n);

/* Whether there was no memory for the calling thread's table. */
bool thread_refused(void);

/* The calling thread's entry, or NULL. */
struct thread *thread_self(void);

/*
 * Returns the first entry of the process, for living and ended threads; NULL: there is none. Linear
 * also in the entries of processes from which this one was forked.
 */
struct thread *thread_first(void);
struct thread *thread_next(const struct thread *thread);

/* Returns the kernel's number of the thread that owns an entry, or did so until it ended. */
int32_t thread_number(const struct thread *thread);

/* Returns the kernel's number of an entry's thread if it is alive, else 0. */
int32_t thread_alive(const struct thread *thread);

/*
 * In the child of a fork, after count_block_renew_all(): the calling thread is the only one, and
 * continues with empty tables. Entries of other threads are left to later threads. Constant time.
 */
void thread_forked(void);

/* Moves the calling thread's tables into the live file; see count_block_move_into_file(). */
void thread_move_into_file(void);
#endif
