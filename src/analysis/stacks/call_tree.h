/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From recorded stacks of addresses to a tree of functions. */
#ifndef ANALYSIS_STACKS_CALL_TREE_H
#define ANALYSIS_STACKS_CALL_TREE_H

#include "base/bitset.h"
#include "model/clock.h"
#include "model/selection.h"
#include "model/stacks.h"
#include "model/symbolized.h"

/* Which stacks are shown. */
struct stacks_choice {
	const struct symbolized_stacks *symbolized;
	const struct bitset *threads; /* by index in the recording; NULL: all */
	const char *thread_names;     /* for costs_origin.threads */
	struct clock clock;           /* the kinds of ticks */
	bool chosen_time;  /* the user selected times, which affects only the call graph */
	bool chosen_roots; /* the user selected roots, which affects only the call tree */
	bool keeps_tree;   /* the tree is asked for; else analysis.tree is empty */
};

/* Which stacks count. */
struct call_tree_choice {
	struct clock clock;           /* the kinds of ticks */
	const struct bitset *threads; /* NULL: all */
	/*
	 * From the outermost function inwards a stack is on from one of `on` to one of `off`, which
	 * is off, to the next of `on`; it counts if it is on at its end. NULL: all count.
	 */
	const struct bitset *on, *off;
	bool stays_off;             /* a function of `on` does not turn it on again */
	const struct bitset *roots; /* not NULL: stacks begin with the outermost of these; those
				       without one do not count */
};

/* Whether the selection of time leaves out stacks for any of nsyms symbols. Linear. */
bool call_tree_selects_time(const struct selection *sel, uint32_t nsyms);

/* Returns the stacks that reports and exports show, except the call graph. Linear in symbols. */
struct call_tree_choice call_tree_choose(const struct stacks_choice *choice,
					 const struct selection *sel);

/*
 * Stacks of the same functions become one path; frames that are skipped vanish, and of consecutive
 * ones of a SYM_WHOLE only the outermost stays. Library code that begins a thread, or calls main,
 * vanishes as well, unless the stack ends in it: it would be above everything. Stacks that end in
 * the recorder do not count. Broken ones are below symbolized->broken; those that lack their inner
 * end have symbolized->cut there; what is of no stack is that, or symbolized->unseen, alone. Times
 * are ticks; no overflow: all of a recording fit. With waiting beside them, stacks of that count as
 * well, for `waiting` of nodes. Of one parent, the node with most time comes first, then the symbol
 * with the lowest id. The result lives in mem, and has no nodes without time. `quality`, which may
 * be NULL, gets the ticks of stacks that count, by what is known of them; not those of waiting.
 * Linear in nodes and samples.
 */
struct stacks call_tree_make(const struct symbolized_stacks *symbolized,
			     const struct call_tree_choice *choice,
			     uint64_t quality[STACK_QUALITIES], struct arena *mem);

#endif
