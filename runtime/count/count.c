/* SPDX-License-Identifier: MIT */
/*
 * Counts a call, for every kind of entry: the slow path of the entry code (on machines whose entry
 * code does not search the table itself, every call), the hooks of gcc and clang for basic blocks,
 * and -finstrument-functions.
 *
 * Nothing here calls the C library. Functions that run often have names that GNU gprof leaves out
 * of its reports.
 */
#include "count/hooks.h"
#include "count/thread.h"
#include "life.h"
#include "record/modules.h"
#include "sample/sample.h"
#include "state.h"

/*
 * Counts a call whose pair is in none of its first two cells. The very first call starts the
 * recording.
 */
static __attribute__((noinline)) void count_slowly(uintptr_t from, uintptr_t self)
{
	if (gmon.pass_on) {
		gmon.pass_on(from, self);
		return;
	}
	if (!gmon_table && gmon.phase == READY)
		life_start(gmon.program.low, gmon.program.high);
	thread_add(from, self, 1);
	/* Modules are noted now, because later they may have been unloaded. */
	if (gmon.modules.of_calls) {
		modules_meet(from);
		modules_meet(self);
	}
	if (gmon.refused)
		sample_share();
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

__asm__(".pushsection .note.libgmon, \"a\", %note\n"
	".balign 4\n"
	".long 8, 8, 1\n"
	".asciz \"libgmon\"\n"
	".long gmon - .\n"
	".long count_for_copy - .\n"
	".popsection\n");

_Static_assert(OTHER_COPIES_NAME_BYTES == 8 && OTHER_COPIES_TYPE == 1, "see the note");

void count_for_copy(uintptr_t from, uintptr_t self)
{
	if (gmon_on)
		count_pair(from, self);
}

/* Adds n to a pair of the calling thread's table. False: the pair is not there. */
static bool count_known(uintptr_t from, uintptr_t self, uint64_t n)
{
	return gmon_table && table_add(gmon_table, from, self, n, 0);
}

/*
 * Whether mcount has counted this call already: with -pg and -finstrument-functions at once, both
 * hooks are called, mcount first, with the same return address and an address a few bytes after the
 * start of the function. A pair that this hook has counted, for a function close by, is marked as
 * CELL_ALONE and does not count here.
 */
static bool count_is_second(uintptr_t function, uintptr_t call_site)
{
	enum { LONGEST_PROLOGUE = 128 };

	for (uintptr_t i = 1; i <= LONGEST_PROLOGUE; i++)
		if (count_known(call_site, function + i, 0) &&
		    !count_known(function + i, CELL_ALONE, 0))
			return true;
	return false;
}

/*
 * Counts a call whose pair is in none of its first two cells. A cell of the function itself says
 * which hooks count it: CELL_TWICE if mcount does, too, CELL_ALONE if only this hook does. That
 * cell is added after the pair's, so a larger table that has the pair will have the mark, too.
 */
static __attribute__((noinline)) void count_hooked_slowly(uintptr_t function, uintptr_t call_site)
{
	bool alone = count_known(function, CELL_ALONE, 0);

	if (count_known(call_site, function, 1) || (!alone && count_known(function, CELL_TWICE, 1)))
		return;
	if (!alone && count_is_second(function, call_site)) {
		thread_add(function, CELL_TWICE, 1);
		return;
	}
	count_slowly(call_site, function);
	if (gmon_table && !thread_refused() && !count_known(function, CELL_ALONE, 0))
		thread_add(function, CELL_ALONE, 1);
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
	struct table *table = gmon_table;

	if (!gmon_on)
		return;
	if (!table || !table_add_first(table, (uintptr_t)call_site, (uintptr_t)function, 1))
		count_hooked_slowly((uintptr_t)function, (uintptr_t)call_site);
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
}

static inline void count_basic_block(void *pc)
{
	if (gmon_on)
		count_pair((uintptr_t)pc, CELL_BLOCK);
}

void __sanitizer_cov_trace_pc(void)
{
	count_basic_block(__builtin_return_address(0));
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
	(void)guard;
	count_basic_block(__builtin_return_address(0));
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
	(void)start;
	(void)stop;
}
