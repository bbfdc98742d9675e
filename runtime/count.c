/* SPDX-License-Identifier: MIT */
/*
 * Counting a call, from every kind of entry: the entry code's slow way (or, on machines whose entry
 * code does not look into the table itself, every call), gcc's and clang's hooks for basic blocks,
 * and -finstrument-functions.
 *
 * None calls the C library. The names of what runs often are those that GNU gprof leaves out of its
 * reports.
 */
#include "hooks.h"
#include "life.h"
#include "state.h"
#include "thread.h"

/* The pair has no cell where it is looked for first. The first call of all starts the recording. */
static __attribute__((noinline)) void count_slowly(uintptr_t from, uintptr_t self)
{
	if (!gmon_table && gmon.phase == READY)
		life_start(gmon.program.low, gmon.program.high);
	thread_add(from, self, 1);
}

static inline void count_pair(uintptr_t from, uintptr_t self)
{
	struct table *table = gmon_table;

	if (!table || !table_add_first(table, from, self, 1))
		count_slowly(from, self);
}

void __mcount_internal(uintptr_t from, uintptr_t self)
{
	count_pair(from, self);
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
	if (gmon_on)
		count_pair((uintptr_t)call_site, (uintptr_t)function);
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
}

static inline void count_block(void *pc)
{
	if (gmon_on)
		count_pair((uintptr_t)pc, CELL_BLOCK);
}

void __sanitizer_cov_trace_pc(void)
{
	count_block(__builtin_return_address(0));
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
	(void)guard;
	count_block(__builtin_return_address(0));
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
	(void)start;
	(void)stop;
}
