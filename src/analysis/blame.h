/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds who held others up, from recorded_hold. */
#ifndef ANALYSIS_BLAME_H
#define ANALYSIS_BLAME_H

#include "model/analysis.h"
#include "model/blame.h"
#include "model/line_table.h"
#include "model/symbolized.h"

struct blame_input {
	const struct analysis *a;
	const struct symbolized_stacks *stacks; /* with a symbol for each recorded node */
	const struct line_table *lines;         /* of the addresses of blame_want() */
	/* for each recorded_hold, the name of the variable that is the lock, or NULL */
	const char *const *lock;
};

/* Adds to pcs the addresses of the code whose lines blame_make() shows. Linear in holds and depth.
 */
void blame_want(const struct analysis *a, const struct symbolized_stacks *stacks, address_list *pcs,
		struct arena *mem);

/*
 * Returns, in mem, what each function held up. Expected linear in holds, times the depth of stacks;
 * n log n in rows.
 */
struct blame blame_make(const struct blame_input *input, struct arena *mem);

#endif
