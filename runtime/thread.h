/* SPDX-License-Identifier: MIT */
/*
 * Threads that count: each has a table and a timer. What a thread that has ended leaves behind,
 * counts included, goes to a later one: memory grows with the threads alive at once, not with all
 * there were.
 *
 * No exit hook tells that a thread has ended; the kernel is asked whether its number is still in
 * use.
 */
#ifndef THREAD_H
#define THREAD_H

#include <stdbool.h>
#include <stdint.h>

struct table;

struct thread {
	struct thread *next;
	_Alignas(8) uint64_t
		owner;       /* kernel's number of the thread; above it, how often that changed */
	struct table *table; /* the owner's newest */
	int timer;           /* the kernel's number of it, if armed */
	unsigned char armed;
	/* Written by the owner's handler; see sample_stop(). */
	uint32_t ticks;    /* since it was armed */
	uintptr_t last_pc; /* of the newest; 0: none */
	long armed_at[2];  /* the clock of the owner then: seconds, nanoseconds */
};

/*
 * The calling thread's first call: gives it a table, adopted or new, sets gmon_table, and arms its
 * timer if the recording runs. NULL: no memory; gmon_table is then a table that takes nothing.
 * Async-signal-safe, and may be interrupted by itself.
 */
struct table *thread_begin(void);

/* The calling thread's table is full: a larger one takes its place. NULL: no memory. */
struct table *thread_grow(void);

/* Whether a table is the one that takes nothing. */
bool thread_refused(const struct table *table);

/* The calling thread's, or NULL. */
struct thread *thread_self(void);

/* All threads, living and ended. */
struct thread *thread_first(void);

/* The kernel's number of a thread's owner if that is alive, or 0. */
int32_t thread_alive(const struct thread *thread);

/* In the child of a fork: the calling thread is the only one that goes on. */
void thread_forked(void);

#endif
