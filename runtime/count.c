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
#include "internal.h"
#include "thread.h"

static void decline(void)
{
	wide_add(&gmon.declined, 1);
}

/* The table is missing, full, or refused. */
static __attribute__((noinline)) void count_slowly(uintptr_t from, uintptr_t self, uint64_t n)
{
	struct table *table = gmon_table;

	if (from <= FROM_CLAIMED)
		from = FROM_UNKNOWN;
	if (!table) {
		if (gmon.phase == READY)
			gmon_start(gmon.program.low, gmon.program.high);
		table = thread_begin();
	}
	if (thread_refused(table)) {
		decline();
		return;
	}
	if (table_add(table, from, self, n, table_good(table)))
		return;
	/* A larger table, or what is left of this one. */
	if (!thread_grow() || !table_add(gmon_table, from, self, n, table_good(gmon_table)))
		if (!table_add(gmon_table, from, self, n, table_full(gmon_table)))
			decline();
}

void gmon_count(uintptr_t from, uintptr_t self, uint64_t n)
{
	struct table *table = gmon_table;

	if (!table || !table_add_first(table, from, self, n))
		count_slowly(from, self, n);
}

void __mcount_internal(uintptr_t from, uintptr_t self)
{
	gmon_count(from, self, 1);
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
	if (gmon_on)
		gmon_count((uintptr_t)call_site, (uintptr_t)function, 1);
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
}

static inline void count_block(void *pc)
{
	if (gmon_on)
		gmon_count((uintptr_t)pc, CELL_BLOCK, 1);
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
