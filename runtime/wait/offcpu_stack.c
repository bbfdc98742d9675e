/* SPDX-License-Identifier: MIT */
/* Stacks of blocked threads. See offcpu_stack.h. */
#include "wait/offcpu_stack.h"

#include "record/tree.h"
#include "state.h"

enum { NS_OF_US = 1000 };

bool offcpu_stack_start(void)
{
	struct stack_recorder *recorder = gmon.offcpu.recorder;

	if (!recorder)
		recorder = gmon.offcpu.recorder = stack_recorder_new(true);
	if (recorder && recorder->generation != gmon.generation)
		stack_recorder_renew(recorder);
	return recorder;
}

struct stack_cell offcpu_stack_cell(const struct offcpu_blocked *thread)
{
	struct stack_recorder *recorder = gmon.offcpu.recorder;
	struct unwound seen = unwind_blocked(recorder->unwinder, thread->sp, thread->pc);

	return stack_recorder_cell(recorder, &seen,
				   GMON_EXT_WAITING + thread->call +
					   thread->awaited * GMON_EXT_WAITING_STEP,
				   thread->record, KINDS_OFF_CPU);
}

/* Adds to a cell, or to that of an unknown stack, which is of `kind`. Microseconds are
 * those before `until`, by CLOCK_MONOTONIC, or if that is 0 the last ones. */
static void offcpu_stack_count(const struct stack_cell *cell, uint32_t record, uint32_t kind,
			       uint64_t n, uint64_t until)
{
	struct stack_cell unknown = stack_recorder_node(TREE_ROOT, record, kind, GMON_EXT_BROKEN);

	stack_recorder_move_into_file(gmon.offcpu.recorder);
	if (kind == GMON_LIVE_SQUARES)
		stack_recorder_add(gmon.offcpu.recorder, cell ? cell : &unknown, n);
	else
		stack_recorder_add_at(gmon.offcpu.recorder, cell ? cell : &unknown, n,
				      (struct slices_time){ n * NS_OF_US, until });
}

void offcpu_stack_add_as(const struct stack_cell *cell, uint32_t record, uint32_t kind, uint64_t us)
{
	struct stack_cell of;

	if (cell)
		of = stack_recorder_as(cell, kind);
	offcpu_stack_count(cell ? &of : NULL, record, kind, us, 0);
}

struct stack_cell offcpu_stack_all_wait(const struct stack_cell *cell)
{
	return stack_recorder_below(gmon.offcpu.recorder, cell, GMON_EXT_ALL_WAIT);
}

void offcpu_stack_weigh(const struct stack_cell *cell, uint32_t record, uint64_t squares)
{
	offcpu_stack_add_as(cell, record, GMON_LIVE_SQUARES, squares);
}

void offcpu_stack_add(const struct stack_cell *cell, uint32_t record, uint64_t us, uint64_t until)
{
	offcpu_stack_count(cell, record, KINDS_OFF_CPU, us, until);
}
