/* SPDX-License-Identifier: MIT */
/*
 * Who waited for whom: struct gmon_ext_hold, in a block of kind GMON_LIVE_HOLDS. Records are found
 * by hashing. If there are too many, first their locks are forgotten, then the rest:
 *
 *   waiter  holder  lock          us
 *   serve   flush   0x7f0012a0    51000
 *   serve   flush   0              1200     of other locks of these two
 *   0       0       0               300     of all others
 *
 * Only the helper (wait/offcpu_helper.h) may call these functions, except holds_start(),
 * holds_zero() and holds_copy().
 */
#ifndef RECORD_HOLDS_H
#define RECORD_HOLDS_H

#include <stdbool.h>
#include <stdint.h>

#include <gmon_ext.h>

/* What tells records apart. */
struct hold {
	uint32_t waiter, holder; /* nodes of the tree (tree.h); TREE_ROOT: not known */
	uintptr_t lock;          /* address of the lock's futex; 0: not known */
	uint32_t flags;          /* enum gmon_ext_hold_flags */
};

/* Makes the block. Without memory for it, nothing is recorded. */
void holds_start(void);

/* Adds microseconds to a record. Constant time. */
void holds_add(const struct hold *hold, uint64_t us);

/* What is added from now on belongs to a round of looks; later ones have larger numbers. */
void holds_begin_round(uint32_t round);

/* Which records holds_move() takes from. */
struct holds_choice {
	uint32_t waiter; /* those of this stack, for whatever lock, */
	uint32_t flags;  /* and with these flags: */
	uint32_t since;  /* first of those to which something was added in this round or later */
};

/* Moves microseconds from records to the same with other flags. Returns how many there were. Linear
 * in the records. */
uint64_t holds_move(const struct holds_choice *from, uint32_t flags, uint64_t us);

/* Sets all to zero. */
void holds_zero(void);

/* In the child of a fork, whose block is zero: forgets which locks there were. */
void holds_forked(void);

/* How many records there is room for; 0: none. */
uint32_t holds_room(void);

/* Copies a record, with nodes of the tree; its module is not set. False: it has no ticks. */
bool holds_copy(uint32_t i, struct gmon_ext_hold *to);

#endif
