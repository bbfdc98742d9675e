/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stays of a function's name when it is compiled in another way. */
#ifndef ANALYSIS_DIFF_PLAIN_H
#define ANALYSIS_DIFF_PLAIN_H

#include "base/arena.h"

#include <stdint.h>

/*
 * A linker name without what compilers add to it: .constprop.N .isra.N .part.N .cold .lto_priv.N
 * .llvm.N .clone.N in any order, and the hash of Rust's older mangling. The name itself if there
 * is none of that, else in mem. Linear.
 */
const char *plain_name(const char *name, struct arena *mem);

/*
 * A readable name without the numbers of lambdas and of types without a name, as in
 * "f()::{lambda()#3}"; NULL if it has none. In mem. Linear.
 */
const char *plain_numbers(const char *readable, struct arena *mem);

/* Three texts as one, in mem. */
const char *plain_joined(const char *a, const char *b, const char *c, struct arena *mem);

/* What stands for a name where there is none: the address between brackets, in mem. */
const char *plain_address(uint64_t address, struct arena *mem);

#endif
