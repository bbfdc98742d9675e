/* SPDX-License-Identifier: MIT */
/*
 * GMON=stacks: the call stack of each sample. The tree (tree.h) has the stacks, and each thread a
 * table (table.h), in blocks of kind GMON_LIVE_SAMPLES, of ticks by stack and thread: a table that
 * is adopted keeps the ticks of each of its threads apart. With GMON=clock=wall the helper has such
 * a table, too, of the times that threads waited.
 *
 * Async-signal-safe but for stacks_prepare().
 */
#ifndef RECORD_STACKS_H
#define RECORD_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "count/thread.h"

/* Whether the settings ask for them, and there are any on this machine. */
bool stacks_wanted(void);

/* Before other threads exist, when settings are read: finds out what a handler may not. */
void stacks_prepare(void);

/* When a recording starts for the first time, after modules_start(), if they are wanted. */
void stacks_start(void);

/*
 * In the handler of samples: the calling thread was interrupted at `context`, for so many ticks of
 * CPU time. With none, the stack is kept for stacks_add_rest() alone.
 */
void stacks_add(const ucontext_t *context, uint32_t ticks);

/* The same for ticks of another kind (kinds.h). */
void stacks_add_kind(const ucontext_t *context, uint32_t kind, uint32_t ticks);

/*
 * Ticks more of a thread that was last seen at pc: of the stack of its newest sample, if that was
 * there; else nobody knows who called. Any thread may call it.
 */
void stacks_add_rest(const struct thread *thread, uintptr_t pc, uint32_t ticks);

/*
 * Ticks of time at which nobody looked: of a thread that has samples or is alive, or NULL if no one
 * knows whose they are. Any thread may call it.
 */
void stacks_add_unseen(const struct thread *thread, uint32_t ticks);

/* Before a profile is written: brings the records of living threads up to date. */
void stacks_refresh(void);

/* No thread has used CPU time so far; the ticks are zeroed with all tables. */
void stacks_zero(void);

/* In the child of a fork, after count_block_renew_all() and thread_forked(). */
void stacks_forked(void);

/*
 * Of the helper that watches threads (offcpu_helper.h): makes what it keeps, or takes it over from
 * the helper of the process that this is a fork of. False: no memory.
 */
bool stacks_watch(void);

/* Where a thread waits: a cell of the helper's table. */
struct stacks_wait {
	uintptr_t from, self;
};

/* A thread that is blocked, as the kernel tells it. */
struct stacks_blocked {
	uint32_t record; /* of the thread in the roster */
	uint32_t number; /* of the system call, as the leaf has it: see GMON_EXT_WAITING */
	uintptr_t sp, pc;
};

/* In the helper: the stack of a blocked thread. It must still be blocked there afterwards, or the
 * answer means nothing. */
struct stacks_wait stacks_look_at(const struct stacks_blocked *thread);

/* In the helper: that long a thread waited at a place, or, by NULL, nobody knows where. */
void stacks_add_wait(const struct stacks_wait *place, uint32_t record, uint64_t us);

/* How long threads waited, in all. */
uint64_t stacks_waited_us(void);

/* Ticks of CPU time by enum gmon_ext_quality, those of other kinds, and how many different stacks
 * they are of, about. */
struct stacks_totals {
	uint64_t ticks[4];
	uint64_t others;
	uint64_t nstacks;
};

struct stacks_totals stacks_add_up(void);

/* What a cell of a thread's table says; see gmon_live.h. */
static inline uint32_t stacks_node(const struct cell *cell)
{
	return (uint32_t)(cell_from(cell) - GMON_LIVE_NODE);
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
