/* SPDX-License-Identifier: MIT */
/*
 * GMON=stacks: the call stack of each sample. Each thread that is sampled has a recorder
 * (stack_recorder.h). When a later thread adopts the recorder, the ticks of both threads are kept
 * apart.
 *
 * Async-signal-safe, except stacks_prepare().
 */
#ifndef RECORD_STACKS_H
#define RECORD_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "count/thread.h"
#include "record/stack_recorder.h"

/* Whether the settings ask for stacks, and the machine is supported. */
bool stacks_wanted(void);

/*
 * To be called once settings are read, before other threads exist: collects data that a handler
 * could not ask for.
 */
void stacks_prepare(void);

/*
 * Turns stacks on if they are wanted. To be called when a recording starts for the first time,
 * after modules_start().
 */
void stacks_start(void);

/*
 * In the handler of a sample: counts ticks of a kind (kinds.h) for the stack of the calling thread,
 * which was interrupted at `context`. With 0 ticks the stack is only kept for stacks_add_rest().
 */
void stacks_add(const ucontext_t *context, uint32_t kind, uint32_t ticks);

/*
 * Counts further ticks of CPU time of a thread that was last seen at pc: for the stack of its
 * newest sample if that was at pc, else for a broken stack. Any thread may call it.
 */
void stacks_add_rest(const struct thread *thread, uintptr_t pc, uint32_t ticks);

/*
 * Counts ticks of CPU time for which no sample was taken, without a stack. `thread` has samples or
 * is alive; NULL: it is not known. Any thread may call it.
 */
void stacks_add_unseen(const struct thread *thread, uint32_t ticks);

/*
 * Gets the cell of the newest stack of CPU time of a thread. Returns the number of such stacks so
 * far; 0: there is none. The cell is that of one stack or the next, if one is just
 * being taken. Any thread may call it.
 */
uint32_t stacks_newest(const struct thread *thread, struct stack_cell *cell);

/*
 * From now on, samples of CPU time of a thread are asked whether it has the lock at an address
 * (lock_owner.h); 0: no more. Sets how many had their lock so far. False, and nothing is set: the
 * thread has not been sampled yet. One thread at a time may call it.
 */
bool stacks_watch_lock(const struct thread *thread, uintptr_t lock, uint32_t *holding);

/*
 * Gets the cell of the newest sample of a thread that had the lock. Returns how many there were so
 * far; if it is none, the cell is not set.
 */
uint32_t stacks_holding(const struct thread *thread, struct stack_cell *cell);

/* Before a profile is written: updates names and CPU times of living threads' records. */
void stacks_refresh(void);

/* Sets to zero what the tables do not contain: lost ticks, and CPU times of threads. */
void stacks_zero(void);

/* In the child of a fork, after count_block_renew_all() and thread_forked(). */
void stacks_forked(void);

struct stacks_totals {
	uint64_t ticks[4]; /* ticks of CPU time by enum gmon_ext_quality, without those that have no
			      sample */
	uint64_t others;   /* ticks of other kinds */
	uint64_t waited_us; /* of the other kinds: microseconds in which threads waited */
	uint64_t nstacks;   /* about how many different stacks there are */
};

struct stacks_totals stacks_add_up(void);

/* Parts of the key of a cell; see gmon_live.h. */
static inline uint32_t stacks_node(const struct cell *cell)
{
	return (uint32_t)(table_from(cell) - GMON_LIVE_NODE);
}

static inline uint32_t stacks_thread(const struct cell *cell)
{
	return (uint32_t)(cell->self >> GMON_LIVE_THREAD);
}

static inline uint32_t stacks_kind(const struct cell *cell)
{
	return cell->self % (1 << GMON_LIVE_THREAD) >> GMON_LIVE_KIND;
}

static inline uint32_t stacks_quality(const struct cell *cell)
{
	return cell->self & ((1 << GMON_LIVE_KIND) - 1);
}

#endif
