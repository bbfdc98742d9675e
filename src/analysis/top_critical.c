/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/top_critical.h"

#include "analysis/top_frames.h"
#include "base/radix.h"

static bool top_critical_is_wait(const struct analysis *a, sym_id s)
{
	const struct address_space *space = a->program->address_space;

	return space && s >= space->waits && s - space->waits < space->nwaits;
}

/* Returns the function to which the time at the end of a path belongs. */
static sym_id top_critical_owner(const struct analysis *a, const struct stacks *tree, uint32_t at)
{
	sym_id last = tree->node[at].function;

	if (top_critical_is_wait(a, last))
		return last;
	for (; at != STACKS_NONE; at = tree->node[at].parent) {
		if (top_frames_is_own(a, tree->node[at].function))
			return tree->node[at].function;
	}
	return last;
}

void top_critical_find(struct top *top, const struct analysis *a,
		       const struct stacks_choice *choice, struct arena *mem)
{
	struct call_tree_choice shown = call_tree_choose(choice, &a->selection);
	uint32_t nsyms = choice->symbolized->symtab.nsyms, n = 0;
	struct arena scratch = arena_scratch(mem);
	double *ticks = arena_array(&scratch, double, nsyms);
	struct keyed *order = arena_array(&scratch, struct keyed, nsyms);
	struct top_critical *rows = arena_array(mem, struct top_critical, TOP_CRITICAL);
	struct stacks tree;

	if (shown.clock.waiting == 0 || shown.clock.critical == 0) {
		arena_free(&scratch);
		return;
	}
	shown.clock.kind = shown.clock.critical;
	shown.clock.waiting = 0;
	tree = call_tree_make(choice->symbolized, &shown, NULL, &scratch);
	for (uint32_t i = 0; i < tree.n; i++) {
		if (tree.node[i].self > 0)
			ticks[top_critical_owner(a, &tree, i)] += (double)tree.node[i].self;
	}
	for (sym_id s = 0; s < nsyms; s++) {
		if (ticks[s] > 0.0)
			order[n++] = (struct keyed){ radix_key_descending(ticks[s]), s };
	}
	radix_sort_keyed(order, n, &scratch);
	for (uint32_t i = 0; i < n && i < TOP_CRITICAL; i++)
		rows[i] = (struct top_critical){ order[i].id,
						 ticks[order[i].id] / (double)tree.total };
	top->critical = rows;
	top->ncritical = n < TOP_CRITICAL ? n : TOP_CRITICAL;
	arena_free(&scratch);
}
