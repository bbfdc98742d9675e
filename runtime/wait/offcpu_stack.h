/* SPDX-License-Identifier: MIT */
/*
 * The stacks in which watched threads are blocked, and the time that they spend there: counted in a
 * recorder (stack_recorder.h) of the helper's. To be called in the helper alone (offcpu_helper.h),
 * but for offcpu_stack_start().
 */
#ifndef WAIT_OFFCPU_STACK_H
#define WAIT_OFFCPU_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "record/stack_recorder.h"

/* A blocked thread, as the kernel shows it. */
struct offcpu_blocked {
	uint32_t record; /* in thread_records.h */
	uint32_t call;   /* the system call's number, or what GMON_EXT_WAITING_LAST stands for */
	uintptr_t sp, pc;
};

/* Before the helper starts: makes the recorder, or renews it after a fork. False: no memory. */
bool offcpu_stack_start(void);

/* Unwinds the stack of a blocked thread. The answer is valid if it is still blocked afterwards. */
struct stack_cell offcpu_stack_cell(const struct offcpu_blocked *thread);

/* Adds time to a cell, in microseconds. NULL: the stack is not known, only the thread's record. */
void offcpu_stack_add(const struct stack_cell *cell, uint32_t record, uint64_t us);

#endif
