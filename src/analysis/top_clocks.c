/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/top_clocks.h"

#include "analysis/top_frames.h"
#include "base/radix.h"

static bool top_clocks_is_wait(const struct analysis *a, sym_id s)
{
	const struct address_space *space = a->program->address_space;

	return space && s >= space->waits && s - space->waits < space->nwaits;
}

/* Returns the nearest node, from `at` outward, of the user's own code; STACKS_NONE: there is none.
 */
static uint32_t top_clocks_own(const struct analysis *a, const struct stacks *tree, uint32_t at)
{
	while (at != STACKS_NONE && !top_frames_is_own(a, tree->node[at].function))
		at = tree->node[at].parent;
	return at;
}

/* Returns the node to whose function the time at the end of a path belongs. */
static uint32_t top_clocks_owner(const struct analysis *a, const struct stacks *tree, uint32_t at)
{
	uint32_t own =
		top_clocks_is_wait(a, tree->node[at].function) ? at : top_clocks_own(a, tree, at);

	return own == STACKS_NONE ? at : own;
}

/* Sets the callers of a row's function in the node `at`. */
static void top_clocks_set_callers(const struct analysis *a, const struct stacks *tree, uint32_t at,
				   struct top_clock_row *row)
{
	for (uint32_t i = 0; i < TOP_CALLERS; i++) {
		if (at != STACKS_NONE)
			at = top_clocks_own(a, tree, tree->node[at].parent);
		row->caller[i] = at == STACKS_NONE ? SYM_NONE : tree->node[at].function;
	}
}

/* The times of functions, and where each has the most. */
struct top_clocks_times {
	double *ticks;  /* by symbol */
	uint64_t *most; /* of one node */
	uint32_t *at;   /* that node */
};

static struct top_clocks_times top_clocks_add_up(const struct analysis *a,
						 const struct stacks *tree, uint32_t nsyms,
						 struct arena *mem)
{
	struct top_clocks_times times = { .ticks = arena_array(mem, double, nsyms),
					  .most = arena_array(mem, uint64_t, nsyms),
					  .at = arena_array(mem, uint32_t, nsyms) };

	for (uint32_t i = 0; i < tree->n; i++) {
		uint64_t self = tree->node[i].self;
		uint32_t owner = self > 0 ? top_clocks_owner(a, tree, i) : 0;
		sym_id s = tree->node[owner].function;

		if (self == 0)
			continue;
		times.ticks[s] += (double)self;
		if (self > times.most[s]) {
			times.most[s] = self;
			times.at[s] = owner;
		}
	}
	return times;
}

/* Returns the rows of a kind. */
static struct top_clock top_clocks_rows(const struct analysis *a,
					const struct stacks_choice *choice, uint32_t kind,
					struct arena *mem)
{
	struct call_tree_choice shown = call_tree_choose(choice, &a->selection);
	uint32_t nsyms = choice->symbolized->symtab.nsyms, n = 0;
	struct arena scratch = arena_scratch(mem);
	struct keyed *order = arena_array(&scratch, struct keyed, nsyms);
	struct top_clock_row *rows = arena_array(mem, struct top_clock_row, TOP_CLOCK_ROWS);
	struct top_clock clock = { .row = rows };
	struct top_clocks_times times;
	struct stacks tree;

	shown.clock.kind = kind;
	shown.clock.waiting = 0;
	tree = call_tree_make(choice->symbolized, &shown, NULL, &scratch);
	times = top_clocks_add_up(a, &tree, nsyms, &scratch);
	for (sym_id s = 0; s < nsyms; s++) {
		if (times.ticks[s] > 0.0)
			order[n++] = (struct keyed){ radix_key_descending(times.ticks[s]), s };
	}
	radix_sort_keyed(order, n, &scratch);
	for (uint32_t i = 0; i < n && i < TOP_CLOCK_ROWS; i++) {
		sym_id s = order[i].id;

		rows[i] = (struct top_clock_row){ .function = s,
						  .share = times.ticks[s] / (double)tree.total };
		top_clocks_set_callers(a, &tree, times.at[s], &rows[i]);
	}
	clock.nrows = n < TOP_CLOCK_ROWS ? n : TOP_CLOCK_ROWS;
	clock.total = tree.total;
	arena_free(&scratch);
	return clock;
}

void top_clocks_find(struct top *top, const struct analysis *a, const struct stacks_choice *choice,
		     struct arena *mem)
{
	struct clock shown = call_tree_choose(choice, &a->selection).clock;

	if (shown.waiting == 0)
		return;
	if (shown.critical != 0)
		top->critical = top_clocks_rows(a, choice, shown.critical, mem);
	if (shown.blame != 0)
		top->blame = top_clocks_rows(a, choice, shown.blame, mem);
}
