/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worked example at the top of line_costs.c: a program with its line table, samples and calls.
 */
#ifndef WORKEDLINES_H
#define WORKEDLINES_H

#include "testing.h"

#include "analysis/graph/graph.h"
#include "analysis/lines/line_costs.h"

enum { MAIN, LEAF, NFUNCTIONS };

static const char worked_main_c[] = "main.c", worked_leaf_c[] = "leaf.c";
static const char worked_step_h[] = "step.h", worked_step[] = "step";

static const struct line_caller worked_callers[] = {
	{ NULL, NULL, 0, 0, NULL },
	{ worked_leaf_c, "leaf", 4, 0, worked_step_h },
};
static const struct line_row worked_rows[] = {
	{ 0x100, worked_main_c, "main", 5, 0 },
	{ 0x110, worked_main_c, "main", 6, 0 },
	{ 0x120, worked_leaf_c, "leaf", 3, 0 },
	{ 0x128, worked_step_h, worked_step, 9, 1 },
	{ 0x130, NULL, NULL, 0, 0 },
};
static const struct sym worked_sym[NFUNCTIONS] = {
	{ 0x100, 0x120, "main", SYM_FUNC, 0 },
	{ 0x120, 0x130, "leaf", SYM_FUNC, 1 },
};
static const struct location worked_locations[NFUNCTIONS] = { { worked_main_c, 5 },
							      { worked_leaf_c, 3 } };

/* main() calls leaf() from 0x114, in two pieces, and from 0x104. Points into itself: not to be
 * copied. */
struct worked {
	struct arena mem;
	struct program program;
	struct line_table lines;
	uint64_t ticks[3];
	struct hist hist;
	struct profile profile;
	double self_ticks[NFUNCTIONS];
	struct analysis a;
	uint64_t self[NFUNCTIONS], samples[NFUNCTIONS], arc[1];
	struct integer_costs integer_costs;
};

static inline void worked_init(struct worked *w)
{
	static const struct raw_arc calls[] = { { 0x114, 0x120, 3 },
						{ 0x104, 0x120, 5 },
						{ 0x114, 0x120, 2 } };
	static const struct arc arc = { MAIN, LEAF, 10 };

	*w = (struct worked){ .mem = test_arena(),
			      .lines = { worked_rows, COUNT(worked_rows), worked_callers },
			      .ticks = { 2, 0, 4 },
			      .self_ticks = { 2.0, 4.0 },
			      .self = { 30000000, 70000001 },
			      .samples = { 2, 4 },
			      .arc = { 100 } };
	w->program.symtab = (struct symtab){ worked_sym, NFUNCTIONS };
	w->hist = (struct hist){ .lo = 0x100, .hi = 0x130, .nbins = 3, .ticks = w->ticks };
	array_push(&w->mem, &w->profile.hists) = w->hist;
	for (size_t i = 0; i < COUNT(calls); i++)
		array_push(&w->mem, &w->profile.arcs) = calls[i];
	w->profile.has_hists = w->profile.has_arcs = true;
	w->a = (struct analysis){ .program = &w->program,
				  .profile = &w->profile,
				  .selection.flat = bitset_empty(&w->mem, NFUNCTIONS),
				  .costs = { .self = w->self_ticks, .total = 6.0 },
				  .graph = graph_build(NFUNCTIONS, &arc, 1, &w->mem) };
	bitset_add(w->a.selection.flat, MAIN);
	bitset_add(w->a.selection.flat, LEAF);
	w->integer_costs =
		(struct integer_costs){ .self = w->self, .samples = w->samples, .arc = w->arc };
}

/* Stacks: 4 ticks end in leaf() at 0x12c, called in main() at 0x114, and one in main() at 0x100. */
static const struct code_address worked_addresses[] = { { MAIN, RECORDED_NONE, 0x114 },
							{ LEAF, RECORDED_NONE, 0x12c },
							{ MAIN, RECORDED_NONE, 0x100 } };
static const struct stack_node worked_nodes[] = {
	{ .function = 0, .parent = STACKS_NONE, .end = 2, .total_samples = 4 },
	{ .function = 1, .parent = 0, .depth = 1, .end = 2, .samples = 4, .total_samples = 4 },
	{ .function = 2, .parent = STACKS_NONE, .end = 3, .samples = 1, .total_samples = 1 },
};
static const struct thread_trees worked_thread = {
	.addresses = { .node = worked_nodes, .n = COUNT(worked_nodes), .depth = 1 }
};
static const struct call_trees worked_trees = { .address = worked_addresses,
						.naddresses = COUNT(worked_addresses),
						.thread = &worked_thread,
						.nthreads = 1 };

#endif
