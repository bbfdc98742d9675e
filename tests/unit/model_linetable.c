/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line tables, and the symbols made from them. */
#include "testing.h"

#include "model/symtab.h"

static const struct line_row rows[] = {
	{ 0x10, "a.c", "f", 1 }, { 0x14, "a.c", "f", 2 }, { 0x16, NULL, NULL, 0 },
	{ 0x18, "a.c", "f", 2 }, { 0x1a, "b.h", "g", 2 }, { 0x20, "b.h", NULL, 3 },
	{ 0x30, NULL, NULL, 0 },
};
static const struct line_table table = { rows, COUNT(rows) };

static void find_gives_the_row_that_holds_an_address(void **state)
{
	(void)state;
	assert_null(line_table_find(&table, 0xf));
	assert_ptr_equal(line_table_find(&table, 0x10), &rows[0]);
	assert_ptr_equal(line_table_find(&table, 0x15), &rows[1]);
	assert_ptr_equal(line_table_find(&table, 0x2f), &rows[5]);
	assert_ptr_equal(line_table_find(&table, 0xffff), &rows[6]);
}

/* Two functions, the second static, and a label inside it. */
static void lines_begin_where_line_file_or_function_change(void **state)
{
	static const struct sym functions[] = {
		{ 0x10, 0x20, "f", SYM_FUNC, 0 },
		{ 0x20, 0x40, "h", SYM_FUNC | SYM_STATIC, 1 },
	};
	static const struct sym labels[] = {
		{ 0x10, 0x20, "f", SYM_FUNC, 0 },
		{ 0x20, 0x28, "h", SYM_FUNC, 1 },
		{ 0x28, 0x40, "h.cold", SYM_FUNC, 2 },
	};
	static const struct {
		uint64_t lo;
		const char *name;
		unsigned flags;
	} expected[] = {
		{ 0x10, "f", SYM_FUNC },
		{ 0x14, "f", SYM_LINE }, /* 0x18 is the same line after a gap */
		{ 0x1a, "g", SYM_LINE },
		{ 0x20, "h", SYM_FUNC | SYM_STATIC },
		{ 0x28, "h.cold", SYM_LINE | SYM_STATIC },
	};
	const struct symtab by_function = { functions, COUNT(functions) };
	const struct symtab all = { labels, COUNT(labels) };
	struct arena mem = test_arena();
	struct symtab made = symtab_add_lines(&by_function, &all, &table, &mem);

	(void)state;
	assert_int_equal(made.nsyms, COUNT(expected));
	for (uint32_t i = 0; i < made.nsyms; i++) {
		assert_int_equal(made.sym[i].lo, expected[i].lo);
		assert_string_equal(made.sym[i].name, expected[i].name);
		assert_int_equal(made.sym[i].flags, expected[i].flags);
		assert_int_equal(made.sym[i].hi, i + 1 < made.nsyms ? expected[i + 1].lo : 0x40);
	}
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find_gives_the_row_that_holds_an_address),
		cmocka_unit_test(lines_begin_where_line_file_or_function_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
