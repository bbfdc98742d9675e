/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What addresses and call sites cost, with their lines; and their sums by line. */
#include "workedlines.h"

#include "analysis/lines/line_sums.h"

static void expect_frame(const struct line_costs *costs, uint32_t i, const char *file,
			 unsigned line)
{
	assert_true(i < costs->nframes);
	assert_ptr_equal(costs->frame[i].file, file);
	assert_int_equal(costs->frame[i].line, line);
}

static void expect_address(const struct line_costs *costs, uint32_t i, uint64_t pc, sym_id symbol,
			   double ticks, uint64_t self)
{
	assert_true(i < costs->n);
	assert_int_equal(costs->at[i].pc, pc);
	assert_int_equal(costs->at[i].symbol, symbol);
	assert_same_double(costs->at[i].ticks, ticks);
	assert_int_equal(costs->at[i].self, self);
}

static void bins_are_cut_at_lines(void **state)
{
	struct worked w;
	struct line_costs costs;
	struct line_costs_input input = { .analysis = &w.a, .integer_costs = &w.integer_costs };

	(void)state;
	worked_init(&w);
	costs = line_costs_make(&input, &w.lines, &w.mem);
	assert_int_equal(costs.n, 3);
	expect_address(&costs, 0, 0x100, MAIN, 2.0, 30000000);
	expect_address(&costs, 1, 0x120, LEAF, 2.0, 35000001);
	expect_address(&costs, 2, 0x128, LEAF, 2.0, 35000000);
	assert_int_equal(costs.start[LEAF], 1);
	assert_int_equal(costs.start[NFUNCTIONS], 3);
	expect_frame(&costs, costs.at[0].frame, worked_main_c, 5);
	expect_frame(&costs, costs.at[2].frame, worked_step_h, 9);
	assert_ptr_equal(costs.inlined[costs.frame[costs.at[2].frame].function], worked_step);
	expect_frame(&costs, costs.frame[costs.at[2].frame].caller, worked_leaf_c, 4);
	assert_null(costs.address_frame);
	arena_free(&w.mem);
}

static void functions_that_are_not_listed_have_no_costs(void **state)
{
	struct worked w;
	struct line_costs costs;
	struct line_costs_input input = { .analysis = &w.a };

	(void)state;
	worked_init(&w);
	bitset_remove(w.a.selection.flat, MAIN);
	costs = line_costs_make(&input, &w.lines, &w.mem);
	assert_int_equal(costs.n, 2);
	expect_address(&costs, 0, 0x120, LEAF, 2.0, 0);
	arena_free(&w.mem);
}

static void calls_of_an_address_are_one(void **state)
{
	struct worked w;
	struct line_costs costs;
	struct line_costs_input input = { .analysis = &w.a, .integer_costs = &w.integer_costs };

	(void)state;
	worked_init(&w);
	/* leaf() calls itself, which is no arc of the graph. */
	array_push(&w.mem, &w.profile.arcs) = (struct raw_arc){ 0x12c, 0x120, 7 };
	costs = line_costs_make(&input, &w.lines, &w.mem);
	assert_int_equal(costs.ncalls, 3);
	assert_int_equal(costs.arc_start[0], 0);
	assert_int_equal(costs.arc_start[1], 2);
	assert_int_equal(costs.call[0].pc, 0x104);
	assert_int_equal(costs.call[0].ncalls, 5);
	assert_int_equal(costs.call[0].time, 50);
	expect_frame(&costs, costs.call[0].frame, worked_main_c, 5);
	assert_int_equal(costs.call[1].pc, 0x114);
	assert_int_equal(costs.call[1].ncalls, 5);
	assert_int_equal(costs.call[1].time, 50);
	expect_frame(&costs, costs.call[1].frame, worked_main_c, 6);
	assert_int_equal(costs.call[2].from, LEAF);
	assert_int_equal(costs.call[2].ncalls, 7);
	assert_int_equal(costs.call[2].time, 0);
	arena_free(&w.mem);
}

static void stacks_have_addresses_of_their_own(void **state)
{
	struct worked w;
	struct line_costs costs;
	struct line_costs_input input = { .analysis = &w.a,
					  .trees = &worked_trees,
					  .integer_costs = &w.integer_costs };

	(void)state;
	worked_init(&w);
	costs = line_costs_make(&input, &w.lines, &w.mem);
	assert_int_equal(costs.n, 2);
	expect_address(&costs, 0, 0x100, MAIN, 1.0, 30000000);
	expect_address(&costs, 1, 0x12c, LEAF, 4.0, 70000001);
	expect_frame(&costs, costs.address_frame[0], worked_main_c, 6);
	expect_frame(&costs, costs.address_frame[1], worked_step_h, 9);
	/* All time of the arc was measured at one of its call sites. */
	assert_int_equal(costs.call[0].pc, 0x104);
	assert_int_equal(costs.call[0].time, 0);
	assert_int_equal(costs.call[1].pc, 0x114);
	assert_int_equal(costs.call[1].ncalls, 5);
	assert_int_equal(costs.call[1].time, 100);
	arena_free(&w.mem);
}

static void wanted_addresses_are_ends_of_bins_and_call_sites(void **state)
{
	static const uint64_t expected[] = { 0x100, 0x10f, 0x120, 0x12f, 0x114, 0x104, 0x114 };
	struct worked w;
	struct line_costs_input input = { .analysis = &w.a };
	address_list pcs = { 0 };

	(void)state;
	worked_init(&w);
	line_costs_want(&input, &pcs, &w.mem);
	assert_int_equal(pcs.n, COUNT(expected));
	assert_memory_equal(pcs.at, expected, sizeof(expected));
	arena_free(&w.mem);
}

static void lines_add_up_their_addresses(void **state)
{
	struct worked w;
	struct line_costs costs;
	struct line_sums sums;
	struct line_costs_input input = { .analysis = &w.a, .integer_costs = &w.integer_costs };

	(void)state;
	worked_init(&w);
	/* A point on the line of the first bin. */
	array_push(&w.mem, &w.profile.points) = (struct raw_point){ 0x10e, 3 };
	costs = line_costs_make(&input, &w.lines, &w.mem);
	sums = line_sums_make(&costs, &w.program, worked_locations, &w.mem);
	assert_int_equal(sums.n, 3);
	assert_string_equal(sums.file[0].name, "leaf.c");
	assert_int_equal(sums.file[0].nlines, 1);
	assert_int_equal(sums.file[0].line[0].line, 3);
	assert_int_equal(sums.file[0].line[0].self, 35000001);
	assert_same_double(sums.file[0].ticks, 2.0);
	assert_int_equal(sums.file[0].nincluded, 1);
	assert_string_equal(sums.file[0].included[0].function, "leaf");
	assert_string_equal(sums.file[0].included[0].file, "step.h");
	assert_int_equal(sums.file[0].included[0].sum.line, 9);
	assert_same_double(sums.file[1].line[0].ticks, 5.0);
	assert_int_equal(sums.file[1].nincluded, 0);
	assert_ptr_equal(line_sums_find(&sums, "step.h"), &sums.file[2]);
	assert_null(line_sums_find(&sums, "none.c"));
	arena_free(&w.mem);
}

static void the_hottest_line_has_its_share(void **state)
{
	struct worked w;
	struct line_costs costs;
	struct location line;
	double share;
	struct line_costs_input input = { .analysis = &w.a, .integer_costs = &w.integer_costs };

	(void)state;
	worked_init(&w);
	w.self[LEAF] = 4;
	costs = line_costs_make(&input, &w.lines, &w.mem);
	line = line_sums_hottest(&costs, LEAF, &share, &w.mem);
	/* Of equal ones the first, by file. */
	assert_string_equal(line.file, "leaf.c");
	assert_int_equal(line.line, 3);
	assert_same_double(share, 0.5);
	arena_free(&w.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bins_are_cut_at_lines),
		cmocka_unit_test(functions_that_are_not_listed_have_no_costs),
		cmocka_unit_test(calls_of_an_address_are_one),
		cmocka_unit_test(stacks_have_addresses_of_their_own),
		cmocka_unit_test(wanted_addresses_are_ends_of_bins_and_call_sites),
		cmocka_unit_test(lines_add_up_their_addresses),
		cmocka_unit_test(the_hottest_line_has_its_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
