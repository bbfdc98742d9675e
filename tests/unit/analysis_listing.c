/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions a request of source lines names, where they are, and the listings of these. */
#include "workedlines.h"

#include "analysis/lines/listing.h"

struct listed {
	struct worked w;
	struct named_program named;
	struct function_lines_options opt;
	struct function_lines functions;
	struct messages log;
	struct diag diag;
};

static void listed_init(struct listed *l)
{
	worked_init(&l->w);
	l->opt = (struct function_lines_options){ .style = DEMANGLE_NONE };
	l->log = (struct messages){ 0 };
	l->diag = test_diag(&l->log);
	l->named = (struct named_program){ .path = "a.out",
					   .symtab = &l->w.program.symtab,
					   .locations = worked_locations };
}

static void listed_request(struct listed *l, const char *name, unsigned context)
{
	array_push(&l->w.mem, &l->opt.requests) = (struct named_request){ name, context };
}

static void listed_make(struct listed *l)
{
	l->functions = function_lines_make(&l->named, &l->w.lines, &l->opt, &l->w.mem, &l->diag);
}

static void expect_range(const struct listed *l, uint32_t i, const char *file, unsigned first,
			 unsigned last)
{
	assert_true(i < l->functions.n);
	assert_ptr_equal(l->functions.at[i].file, file);
	assert_int_equal(l->functions.at[i].first, first);
	assert_int_equal(l->functions.at[i].last, last);
}

static void functions_go_to_their_last_line(void **state)
{
	struct listed l;

	(void)state;
	listed_init(&l);
	listed_request(&l, "main", 2);
	listed_request(&l, "leaf", UINT32_MAX);
	listed_make(&l);
	assert_int_equal(l.functions.n, 2);
	expect_range(&l, 0, worked_leaf_c, 3, 4);
	expect_range(&l, 1, worked_main_c, 5, 6);
	assert_int_equal(l.functions.of_symbol[MAIN], 2);
	assert_int_equal(l.functions.at[1].context, 2);
	assert_int_equal(l.log.n, 0);
	arena_free(&l.w.mem);
}

static void inlined_functions_are_found_by_name_and_by_line(void **state)
{
	static const char *const texts[] = { "step", "step.h:9" };

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct listed l;

		listed_init(&l);
		listed_request(&l, texts[i], UINT32_MAX);
		listed_make(&l);
		assert_int_equal(l.functions.n, 1);
		expect_range(&l, 0, worked_step_h, 9, 9);
		assert_int_equal(l.functions.of_symbol[LEAF], 0);
		assert_int_equal(
			function_lines_find_inlined(&l.functions, worked_step, worked_step_h), 1);
		assert_int_equal(
			function_lines_find_inlined(&l.functions, worked_step, worked_leaf_c), 0);
		assert_int_equal(l.log.n, 0);
		arena_free(&l.w.mem);
	}
}

static void functions_that_share_lines_are_one(void **state)
{
	static const struct line_row rows[] = {
		{ 0x100, worked_main_c, "main", 5, 0 },
		{ 0x118, worked_main_c, "main", 9, 0 },
		{ 0x120, worked_main_c, "leaf", 7, 0 },
		{ 0x130, NULL, NULL, 0, 0 },
	};
	struct listed l;

	(void)state;
	listed_init(&l);
	l.w.lines = (struct line_table){ rows, COUNT(rows), worked_callers };
	listed_request(&l, "main", UINT32_MAX);
	listed_request(&l, "leaf", 1);
	listed_make(&l);
	assert_int_equal(l.functions.n, 1);
	expect_range(&l, 0, worked_main_c, 5, 9);
	assert_int_equal(l.functions.of_symbol[LEAF], 1);
	arena_free(&l.w.mem);
}

static void requests_of_nothing_are_errors(void **state)
{
	struct listed l;

	(void)state;
	listed_init(&l);
	listed_request(&l, "stop", UINT32_MAX);
	listed_make(&l);
	assert_int_equal(l.functions.n, 0);
	expect_message(&l.log, "'stop'");
	arena_free(&l.w.mem);
}

static struct listings listed_listings(struct listed *l, const struct call_trees *trees)
{
	const struct line_costs_input input = { .analysis = &l->w.a, .trees = trees };
	const struct line_costs costs = line_costs_make(&input, &l->w.lines, &l->w.mem);
	const struct listing_input in = { &l->w.a, trees, &l->w.lines, &costs, &l->functions };
	static const uint64_t outer[NFUNCTIONS] = { 0, 10 };

	l->w.a.costs.calls.outer = outer;
	return listing_make(&in, &l->w.mem);
}

static void lines_have_time_calls_and_what_was_inlined(void **state)
{
	const struct listing_line *line;
	struct listings all;
	struct listed l;

	(void)state;
	listed_init(&l);
	listed_request(&l, "leaf", UINT32_MAX);
	listed_request(&l, "main", UINT32_MAX);
	listed_make(&l);
	all = listed_listings(&l, NULL);
	assert_int_equal(all.n, 2);
	assert_false(all.measured);
	/* leaf() has more time. */
	assert_ptr_equal(all.at[0].file, worked_leaf_c);
	assert_same_double(all.at[0].time.self, 4.0);
	assert_int_equal(all.at[0].ncalls, 10);
	assert_int_equal(all.at[0].nlines, 2);
	line = all.at[0].line;
	assert_int_equal(line[0].line, 3);
	assert_same_double(line[0].time.self, 2.0);
	assert_int_equal(line[0].nranges, 1);
	assert_int_equal(line[0].range[0].lo, 0x120);
	assert_int_equal(line[0].range[0].hi, 0x128);
	assert_int_equal(line[1].line, 4);
	assert_int_equal(line[1].ninlined, 1);
	assert_ptr_equal(line[1].inlined[0].function, worked_step);
	assert_same_double(line[1].inlined[0].time.self, 2.0);
	assert_int_equal(all.at[1].line[0].ncalls, 5);
	assert_int_equal(all.at[1].line[1].ncalls, 5);
	assert_same_double(all.at[1].line[1].time.self, 0.0);
	arena_free(&l.w.mem);
}

static void inlined_functions_have_what_they_have_in_others(void **state)
{
	struct listings all;
	struct listed l;

	(void)state;
	listed_init(&l);
	listed_request(&l, "step", UINT32_MAX);
	listed_make(&l);
	all = listed_listings(&l, NULL);
	assert_int_equal(all.n, 1);
	assert_int_equal(all.at[0].nsymbols, 0);
	assert_int_equal(all.at[0].ninlined, 1);
	assert_same_double(all.at[0].time.self, 2.0);
	assert_same_double(all.at[0].inlined_self, 2.0);
	arena_free(&l.w.mem);
}

static void stacks_give_lines_inclusive_times(void **state)
{
	struct listings all;
	struct listed l;

	(void)state;
	listed_init(&l);
	listed_request(&l, "main", UINT32_MAX);
	listed_make(&l);
	all = listed_listings(&l, &worked_trees);
	assert_true(all.measured);
	assert_same_double(all.at[0].time.self, 1.0);
	assert_same_double(all.at[0].time.inclusive, 5.0);
	assert_int_equal(all.at[0].line[0].line, 5);
	assert_same_double(all.at[0].line[0].time.inclusive, 1.0);
	assert_int_equal(all.at[0].line[1].line, 6);
	assert_same_double(all.at[0].line[1].time.self, 0.0);
	assert_same_double(all.at[0].line[1].time.inclusive, 4.0);
	arena_free(&l.w.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_go_to_their_last_line),
		cmocka_unit_test(inlined_functions_are_found_by_name_and_by_line),
		cmocka_unit_test(functions_that_share_lines_are_one),
		cmocka_unit_test(requests_of_nothing_are_errors),
		cmocka_unit_test(lines_have_time_calls_and_what_was_inlined),
		cmocka_unit_test(inlined_functions_have_what_they_have_in_others),
		cmocka_unit_test(stacks_give_lines_inclusive_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
