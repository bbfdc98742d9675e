/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The default selection: everything but the profiler itself. */
#include "testing.h"

#include "analysis/select.h"

static void profiler_is_left_out(void **state)
{
	static const struct {
		const char *name;
		bool in;
	} cases[] = {
		{ "main", true },        { "mcount", false },        { "_mcount", false },
		{ "__mcount", false },   { "_gprof_mcount", false }, { "__mcount_internal", false },
		{ "__mcleanup", false }, { "___mcount", true },      { "mcount2", true },
		{ "mcoun", true },       { "Mcount", true },         { "", true },
		{ "_mcleanup", true },   { "__gmon_start__", true },
	};
	struct arena mem = test_arena();
	struct sym syms[COUNT(cases)] = { 0 };
	struct symtab symtab = { syms, COUNT(cases) };
	struct selection sel;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		syms[i].name = cases[i].name;
	sel = select_symbols(&symtab, &mem);
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(bitset_has(sel.flat, i), cases[i].in);
		assert_int_equal(bitset_has(sel.graph_on, i), cases[i].in);
		assert_int_equal(bitset_has(sel.time_on, i), cases[i].in);
		assert_int_equal(bitset_has(sel.graph_off, i), !cases[i].in);
		assert_int_equal(bitset_has(sel.time_off, i), !cases[i].in);
	}
	arena_free(&mem);
}

static void no_symbols(void **state)
{
	struct arena mem = test_arena();
	struct symtab none = { 0 };

	(void)state;
	assert_non_null(select_symbols(&none, &mem).flat.bits);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profiler_is_left_out),
		cmocka_unit_test(no_symbols),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
