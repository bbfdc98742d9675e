/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds who held others up, from recorded_hold. */
#ifndef ANALYSIS_BLAME_H
#define ANALYSIS_BLAME_H

#include "model/analysis.h"
#include "model/blame.h"
#include "model/line_table.h"
#include "model/symbolized.h"

/*
 * Where a stack is: at a place in the user's own code, or else at its end.
 */
struct blame_at {
	sym_id function; /* SYM_NONE: not known */
	uint64_t pc;     /* in the address space; 0: it is in no code, or not in the user's own */
};

/* Where the stacks of a recorded_hold are. */
struct blame_places {
	struct blame_at holder, waiter, first;
};

struct blame_input {
	const struct symbolized_stacks *stacks; /* with a symbol for each recorded node */
	const struct blame_places *places;      /* of blame_locate() */
	const struct line_table *lines;         /* of the addresses in places */
	/* for each recorded_hold, the name of the variable that is the lock, or NULL */
	const char *const *lock;
};

/* Returns, in mem, for each recorded_hold where its stacks are. Linear in holds and depth. */
const struct blame_places *blame_locate(const struct analysis *a,
					const struct symbolized_stacks *stacks, struct arena *mem);

/*
 * Returns, in mem, what each function held up. Expected linear in holds; n log n in rows.
 */
struct blame blame_make(const struct blame_input *input, struct arena *mem);

#endif
