/* SPDX-License-Identifier: MIT */
/*
 * The stacks in which watched threads are blocked, and the time that they spend there: counted in a
 * recorder (stack_recorder.h) of the helper's. Only the helper (offcpu_helper.h) may call these
 * functions, except offcpu_stack_start().
 */
#ifndef WAIT_OFFCPU_STACK_H
#define WAIT_OFFCPU_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "record/stack_recorder.h"

/*
 * What the operation of futex() says of who waits. glibc takes its locks by FUTEX_WAIT, or if there
 * is a time limit by FUTEX_WAIT_BITSET; it waits for conditions and semaphores by
 * FUTEX_WAIT_BITSET, with a limit and without. Where that does not tell, a word that holds what a
 * contended lock has is a lock's only if nobody is known to wake those who wait there.
 */
enum offcpu_wait { OFFCPU_WAIT_LOCK, OFFCPU_WAIT_EITHER, OFFCPU_WAIT_NO_LOCK };

/* A blocked thread, as the kernel shows it. */
struct offcpu_blocked {
	uint32_t record;  /* number in thread_records.h */
	uint32_t call;    /* number of the system call; the last number if that is not known
			     (GMON_EXT_WAITING_LAST) */
	uint32_t awaited; /* what its descriptor is: one of enum gmon_ext_awaited */
	uintptr_t sp, pc;
	uintptr_t word;     /* as in struct offcpu */
	uint32_t word_held; /* as in struct offcpu */
	enum offcpu_wait word_wait;
};

/*
 * To be called before the helper starts: makes the recorder, or renews it after a fork. Returns
 * false if there is no memory.
 */
bool offcpu_stack_start(void);

/*
 * Unwinds the stack of a blocked thread. The result is valid if the thread is still blocked
 * afterwards.
 */
struct stack_cell offcpu_stack_cell(const struct offcpu_blocked *thread);

/* Adds squares of microseconds that were attributed by chance; see struct gmon_ext_square. `cell`
 * and `record` as for offcpu_stack_add(). */
void offcpu_stack_weigh(const struct stack_cell *cell, uint32_t record, uint64_t squares);

/*
 * Adds microseconds to a cell: those before `until`, by CLOCK_MONOTONIC. NULL: the stack is not
 * known, only the thread's record.
 */
void offcpu_stack_add(const struct stack_cell *cell, uint32_t record, uint64_t us, uint64_t until);

/* The same for the last microseconds, and ticks of another kind, of the stack of a cell of any
 * kind. */
void offcpu_stack_add_as(const struct stack_cell *cell, uint32_t record, uint32_t kind,
			 uint64_t us);

/* Returns the cell of a waiting stack for times in which no thread ran. */
struct stack_cell offcpu_stack_all_wait(const struct stack_cell *cell);

#endif
