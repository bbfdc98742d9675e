/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From recorded stacks of addresses to a tree of functions. */
#ifndef ANALYSIS_STACKS_CALL_TREE_H
#define ANALYSIS_STACKS_CALL_TREE_H

#include "base/bitset.h"
#include "model/clock.h"
#include "model/selection.h"
#include "model/stacks.h"
#include "model/symbolized.h"

/* The user's choice of stacks. */
struct stacks_choice {
	const struct symbolized_stacks *symbolized;
	const struct bitset *threads; /* indices of recorded threads; NULL: all threads */
	const char *thread_names;     /* what reports call these threads */
	const char *range;  /* what reports call the time of these stacks; NULL: the whole run */
	struct clock clock; /* which kinds of ticks count */
	bool chosen_time;   /* a choice of times (-Q and the like) affects only the call graph */
	bool chosen_roots;  /* the user selected roots, which affects only the call tree */
	bool keeps_tree;    /* the tree is asked for; else analysis.tree is empty */
};

/* Which stacks count in a tree. */
struct call_tree_choice {
	struct clock clock;           /* which kinds of ticks count */
	const struct bitset *threads; /* NULL: all threads */
	/*
	 * A walk along a stack from the outermost function inwards is switched on by functions of
	 * `on` and off by functions of `off`; the stack counts if it is on at its end. NULL: all
	 * stacks count.
	 */
	const struct bitset *on, *off;
	bool stays_off; /* once off, functions of `on` do not switch it on again */
	/*
	 * cut each stack to begin with its outermost function of `roots`; stacks without one do not
	 * count. NULL: no stack is cut
	 */
	const struct bitset *roots;
};

/* Whether the user's selection of time leaves out the stacks of any of nsyms symbols. Linear. */
bool call_tree_selects_time(const struct selection *sel, uint32_t nsyms);

/* Returns the stacks that reports and exports show, except the call graph. Linear in symbols. */
struct call_tree_choice call_tree_choose(const struct stacks_choice *choice,
					 const struct selection *sel);

/*
 * Makes the tree of the recorded stacks. Stacks of the same functions become one path. Skipped
 * frames are left out; of consecutive frames of a SYM_WHOLE only the outermost stays. Library code
 * that begins a thread, or calls main, is left out, too, unless the stack ends in it: it would be
 * above everything. Stacks that end in the recorder do not count.
 *
 * Broken stacks are put below symbolized->broken. Stacks without their inner end get
 * symbolized->cut at that end. Time without a stack is in symbolized->cut or symbolized->unseen
 * alone.
 *
 * Times are ticks, which do not overflow: a recording's total fits. If the clock has a kind of
 * waiting, stacks of that kind count, too, in `waiting` of their nodes. Children of one parent are
 * ordered by time, the most first, then by symbol. The result lives in mem and has no nodes without
 * time. `quality`, which may be NULL, gets the ticks of the stacks that count, by their quality,
 * without waiting. Linear in nodes and samples.
 */
struct stacks call_tree_make(const struct symbolized_stacks *symbolized,
			     const struct call_tree_choice *choice,
			     uint64_t quality[STACK_QUALITIES], struct arena *mem);

#endif
