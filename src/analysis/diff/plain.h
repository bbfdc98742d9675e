/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions without the parts that depend on how they were compiled. */
#ifndef ANALYSIS_DIFF_PLAIN_H
#define ANALYSIS_DIFF_PLAIN_H

#include "base/arena.h"

#include <stdint.h>

/*
 * A linker name without what compilers append: .constprop.N .isra.N .part.N .cold .lto_priv.N
 * .llvm.N .clone.N in any order, and the hash of Rust's older mangling. Returns the name itself if
 * there is nothing to remove, else a copy in mem. Linear.
 */
const char *plain_name(const char *name, struct arena *mem);

/*
 * A copy in mem of a demangled name without the numbers of lambdas and of unnamed types, as in
 * "f()::{lambda()#3}"; NULL if it has none. Linear.
 */
const char *plain_numbers(const char *readable, struct arena *mem);

/* Returns what is shown for a function without a name, its address in brackets, in mem. */
const char *plain_address(uint64_t address, struct arena *mem);

#endif
