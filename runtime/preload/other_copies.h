/* SPDX-License-Identifier: MIT */
/*
 * Other copies of libgmon in the process: for instance one in the program and one preloaded, or one
 * in a plugin. They would use the same signal and write the same file. So one records, and the
 * others pass their counts on to it: it is the program's if that has one, since the linker lets
 * most calls of all objects reach that one anyway, else the one that was loaded first.
 *
 * Each copy puts an ELF note into its object (count.c), with this name and type and the distances
 * to its state and its count_for_copy(), 32 bits each. So no symbol has to be exported, and the
 * order of constructors does not matter.
 */
#ifndef PRELOAD_OTHER_COPIES_H
#define PRELOAD_OTHER_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#define OTHER_COPIES_NAME "libgmon"

enum { OTHER_COPIES_TYPE = 1, OTHER_COPIES_NAME_BYTES = 8 };

/* As __mcount_internal() of hooks.h. */
typedef void other_copies_count(uintptr_t from, uintptr_t self);

/*
 * Whether this copy, whose state is at `state`, is to leave recording to another one. Then *pass_on
 * is the function that takes its counts, or NULL if the other copy can be unloaded. Calls
 * dl_iterate_phdr(), so not async-signal-safe. Linear in the objects.
 */
bool other_copies_yield(const void *state, other_copies_count **pass_on);

#endif
