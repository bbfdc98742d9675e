/* SPDX-License-Identifier: MIT */
/*
 * The functions that compiled code calls, except those of the entry code (arch/). All are
 * async-signal-safe.
 */
#ifndef COUNT_HOOKS_H
#define COUNT_HOOKS_H

#include <stdint.h>

#define HOOK __attribute__((no_instrument_function, visibility("default")))
/*
 * These hooks are weak, so that programs can define their own. Those for basic blocks are not:
 * clang's libraries have empty weak ones, which would be found first.
 */
#define WEAK_HOOK HOOK __attribute__((weak))

/*
 * Called by the entry code if gmon_on: counts a call with return address `from` to the
 * function that contains `self`. Uses general registers only. The name is one that GNU
 * gprof leaves out of its reports.
 */
void __mcount_internal(uintptr_t from, uintptr_t self);

/* As __mcount_internal(), but called by another copy of libgmon in the process (other_copies.h),
 * whatever gmon_on is. */
void count_for_copy(uintptr_t from, uintptr_t self);

/* -finstrument-functions: the function's address, and the address that it returns to. */
WEAK_HOOK void __cyg_profile_func_enter(void *function, void *call_site);
WEAK_HOOK void __cyg_profile_func_exit(void *function, void *call_site);

/* gcc -fsanitize-coverage=trace-pc, at the start of each basic block. */
HOOK void __sanitizer_cov_trace_pc(void);

/* clang -fsanitize-coverage=trace-pc-guard: the same. */
HOOK void __sanitizer_cov_trace_pc_guard(uint32_t *guard);
HOOK void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);

#endif
