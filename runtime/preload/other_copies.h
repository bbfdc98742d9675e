/* SPDX-License-Identifier: MIT */
/*
 * Other copies of libgmon in the process: one in the program and one preloaded, or one in a plugin.
 * They would share the signal of the clock and the name of the profile. So one records, and others
 * pass on to it what they are told: the program's own, whose entry points all others' calls come to
 * wherever the linker lets them, else the one that was loaded first.
 *
 * Each copy has an ELF note in its object (count.c): of this name and type, with the distances to
 * its state and to its count_for_copy(), 32 bits each.
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
 * Whether this copy, which has its state there, is to leave recording to another one; then *pass_on
 * is where to bring counts, or NULL if the other one can be unloaded. Not async-signal-safe: asks
 * the loader. Linear in the objects.
 */
bool other_copies_yield(const void *state, other_copies_count **pass_on);

#endif
