/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From recorded stacks of addresses to a tree of functions. */
#ifndef ANALYSIS_STACKS_CALL_TREE_H
#define ANALYSIS_STACKS_CALL_TREE_H

#include "base/bitset.h"
#include "model/clock.h"
#include "model/stacks.h"
#include "model/symbolized.h"

/* Which stacks count. */
struct call_tree_choice {
	struct clock clock;           /* the kinds of ticks */
	const struct bitset *threads; /* NULL: all */
	/*
	 * From the outermost function inwards a stack is on from one of `on` to one of `off`, which
	 * is off, to the next of `on`; it counts if it is on at its end. NULL: all count.
	 */
	const struct bitset *on, *off;
	bool stays_off;             /* once it is: nothing puts it on again */
	const struct bitset *roots; /* not NULL: stacks begin with the outermost of these; those
				       without one do not count */
};

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
