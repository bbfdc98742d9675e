/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines from symbols, and blocks to symbols. */
#include "testing.h"

#include "analysis/functions/resolve.h"
#include "analysis/lines/lines.h"

static const struct sym syms[] = {
	{ 0x10, 0x20, "f", SYM_FUNC, 2 },          { 0x20, 0x30, "f", SYM_LINE, UINT32_MAX },
	{ 0x30, 0x40, "g", SYM_FUNC, 1 },          { 0x40, 0x50, "g", SYM_LINE, UINT32_MAX },
	{ 0x50, 0x60, "h", SYM_LINE, UINT32_MAX },
};
static const struct symtab symtab = { syms, COUNT(syms) };

static void lines_add_up_the_symbols_on_them(void **state)
{
	static const struct location locations[] = {
		{ "a.c", 9 }, { "a.c", 3 }, { "b.c", 1 }, { "a.c", 3 }, { "c.h", 7 },
	};
	static const uint64_t outer[] = { 5, 0, 2, 4, 1 };
	const struct calls calls = { .outer = outer };
	struct arena mem = test_arena();
	struct bitset chosen = bitset_empty(&mem, COUNT(syms));
	struct source_files files;

	(void)state;
	for (size_t s = 0; s < COUNT(syms); s++)
		bitset_add(chosen, s);
	bitset_remove(chosen, 2);
	files = lines_count(&symtab, locations, &calls, chosen, &mem);
	/* c.h appeared last; b.c, first of all, has no chosen symbol. */
	assert_int_equal(files.n, 2);
	assert_string_equal(files.file[0].name, "c.h");
	assert_string_equal(files.file[1].name, "a.c");
	assert_int_equal(files.file[1].nlines, 2);
	assert_int_equal(files.file[1].ncalls, 9);
	assert_int_equal(files.file[1].line[0].line, 3);
	assert_int_equal(files.file[1].line[0].first, 1);
	assert_int_equal(files.file[1].line[0].ncalls, 4);
	assert_true(files.file[1].line[0].is_shared);
	assert_int_equal(files.file[1].line[1].line, 9);
	assert_false(files.file[1].line[1].is_shared);
	arena_free(&mem);
}

static void blocks_keep_their_order_and_add_up(void **state)
{
	struct raw_block raw[] = {
		{ 0x24, 1 }, { 0x22, 2 }, { 0x60, 9 }, { 0x24, 10 }, { 0x10, 3 }, { 0x8, 9 },
	};
	struct profile prof = { 0 };
	struct arena mem = test_arena();
	struct blocks blocks;

	(void)state;
	prof.blocks.at = raw;
	prof.blocks.n = COUNT(raw);
	blocks = resolve_blocks(&prof, &symtab, &mem);
	assert_int_equal(blocks.n, 3);
	assert_int_equal(blocks.start[0], 0);
	assert_int_equal(blocks.start[1], 1);
	assert_int_equal(blocks.start[2], 3);
	assert_int_equal(blocks.pc[0], 0x10);
	assert_int_equal(blocks.pc[1], 0x24);
	assert_int_equal(blocks.count[1], 11);
	assert_int_equal(blocks.pc[2], 0x22);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_add_up_the_symbols_on_them),
		cmocka_unit_test(blocks_keep_their_order_and_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
