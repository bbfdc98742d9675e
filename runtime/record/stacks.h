/* SPDX-License-Identifier: MIT */
/*
 * GMON=stacks: the call stack of each sample. Each thread that is sampled has a recorder
 * (stack_recorder.h). When that passes to a later thread, the ticks of both are kept apart.
 *
 * Async-signal-safe, but for stacks_prepare().
 */
#ifndef RECORD_STACKS_H
#define RECORD_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "count/thread.h"

/* Whether the settings ask for stacks, and the machine is supported. */
bool stacks_wanted(void);

/* Once settings are read, before other threads exist: collects what a handler cannot ask for. */
void stacks_prepare(void);

/* When a recording starts for the first time, after modules_start(): turns stacks on if wanted. */
void stacks_start(void);

/*
 * In the handler of a sample: counts ticks of a kind (kinds.h) for the stack of the calling thread,
 * which was interrupted at `context`. With 0 ticks the stack is kept for stacks_add_rest() alone.
 */
void stacks_add(const ucontext_t *context, uint32_t kind, uint32_t ticks);

/*
 * Counts further ticks of CPU time of a thread that was last seen at pc: for the stack of its
 * newest sample, if that was at pc; otherwise for a broken stack. Any thread may call it.
 */
void stacks_add_rest(const struct thread *thread, uintptr_t pc, uint32_t ticks);

/*
 * Counts ticks of CPU time during which no sample was taken, for no stack. `thread` has samples or
 * is alive; NULL: it is not known. Any thread may call it.
 */
void stacks_add_unseen(const struct thread *thread, uint32_t ticks);

/* Before a profile is written: updates names and CPU times of living threads' records. */
void stacks_refresh(void);

/* Zeroes what the tables do not hold: lost ticks, and CPU times of threads. */
void stacks_zero(void);

/* In the child of a fork, after count_block_renew_all() and thread_forked(). */
void stacks_forked(void);

struct stacks_totals {
	uint64_t ticks[4];  /* of CPU time by enum gmon_ext_quality, unseen ones left out */
	uint64_t others;    /* ticks of other kinds */
	uint64_t waited_us; /* of these, the time that threads waited */
	uint64_t nstacks;   /* different stacks, about */
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
