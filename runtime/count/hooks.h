/* SPDX-License-Identifier: MIT */
/* The functions that compiled code calls, other than the entry code's. All are async-signal-safe.
 */
#ifndef COUNT_HOOKS_H
#define COUNT_HOOKS_H

#include <stdint.h>

#define HOOK __attribute__((no_instrument_function, visibility("default")))
/*
 * Programs may have their own: then ours are not used. Not those for basic blocks: clang's
 * libraries have empty weak ones, which come first.
 */
#define WEAK_HOOK HOOK __attribute__((weak))

/*
 * From the entry code, when gmon_on: a call with return address `from` into the function in which
 * `self` lies. Touches general registers only. GNU gprof leaves a function of this name out of its
 * reports.
 */
void __mcount_internal(uintptr_t from, uintptr_t self);

/* From another copy of libgmon in the process (other_copies.h): as __mcount_internal(), at any
 * time. */
void count_for_copy(uintptr_t from, uintptr_t self);

/* -finstrument-functions: the function's address, and its return address. */
WEAK_HOOK void __cyg_profile_func_enter(void *function, void *call_site);
WEAK_HOOK void __cyg_profile_func_exit(void *function, void *call_site);

/* gcc -fsanitize-coverage=trace-pc, at the start of each basic block. */
HOOK void __sanitizer_cov_trace_pc(void);

/* clang -fsanitize-coverage=trace-pc-guard: the same. */
HOOK void __sanitizer_cov_trace_pc_guard(uint32_t *guard);
HOOK void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);

#endif
