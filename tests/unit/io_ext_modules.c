/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of gmon.out.ext: what modules, calls and ticks there may be together. */
#include "extbytes.h"

/* Hides sections of those whose bit is set, and reads. */
static int read_without(struct recorded *rec, unsigned hidden, uint32_t sum_bytes,
			struct arena *mem)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct ext_bytes f = make_file(&targets[3]);

	for (size_t i = 0; i < NSECTIONS; i++) {
		if (hidden >> i & 1)
			f.at[TABLE + i * ENTRY] = 'x';
	}
	put(&f, THRD + 24 + 16, 4, 0);
	put(&f, TABLE + 7 * ENTRY + 4, 4, sum_bytes);
	return read_file(rec, &f, mem, &diag);
}

/* What recordings have, by the sections that are there. */
static void what_recordings_have(void **state)
{
	enum {
		OF_THRD = 1 << 3,
		OF_SAMP = 1 << 6,
		OF_SUM = 1 << 7,
		OF_ARCS = 1 << 8,
		OF_HIST = 1 << 9
	};
	enum { OF_NODE = 1 << 5, OF_STACKS = OF_THRD | OF_NODE | OF_SAMP };
	static const struct {
		unsigned hidden, sum_bytes;
		uint32_t nfiles, nlack, nobjects;
	} cases[] = {
		{ OF_SUM, 16, 1, 0, 1 },
		{ OF_SUM | OF_ARCS, 16, 1, 0, 1 },
		{ OF_SUM | OF_HIST, 16, 1, 0, 1 },
		{ OF_SUM | OF_ARCS | OF_HIST, 16, 1, 0, 0 },
		{ OF_SUM | OF_STACKS | OF_ARCS, 16, 0, 1, 1 },
		{ OF_SUM | OF_STACKS | OF_ARCS | OF_HIST, 16, 1, 0, 0 },
		{ 0, 16, 3, 2, 2 },
		{ OF_STACKS | OF_ARCS, 16, 3, 2, 2 },
		{ 0, 8, 3, 2, 5 },
		{ OF_ARCS | OF_HIST, 8, 3, 2, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct arena mem = test_arena();
		struct recorded rec;

		assert_int_equal(read_without(&rec, cases[i].hidden, cases[i].sum_bytes, &mem), 0);
		assert_int_equal(rec.nfiles, cases[i].nfiles);
		assert_int_equal(rec.nlack, cases[i].nlack);
		assert_int_equal(rec.nobjects, cases[i].nobjects);
		arena_free(&mem);
	}
}

/* Of one recording, and of a sum, for which places say nothing. */
static void line_costs_that_two_modules_have(void **state)
{
	struct ext_bytes f = make_file(&targets[3]);
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct recorded rec;

	(void)state;
	put(&f, MODS + 72, 8, 0x1fff);
	put(&f, MODS + 80, 8, 0x2fff);
	put(&f, MODS + 88, 8, 0);
	put(&f, NODE + 24 + 8, 8, 0x2000);
	put(&f, ARCS + 16, 8, 0x2000);
	put(&f, ARCS + 48 + 16, 8, 0x2000);
	put(&f, MODS + 72 + 37, 1, 0);
	put(&f, THRD + 24 + 16, 4, 0);
	assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
	f.at[TABLE + 7 * ENTRY] = 'x';
	expect_ignored(&f, "the module at byte 392 begins at 0x1fff, where another one is");
	put(&f, MODS + 72 + 37, 1, MODULE_UNLOADED);
	assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
	put(&f, MODS + 72 + 37, 1, 0);
	put(&f, MODS + 8, 8, 0x1fff);
	put(&f, NODE + 2 * 24 + 8, 8, 0x1ffe);
	assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
	arena_free(&mem);
}

/* Their addresses are those of functions that the file names; this file names none. */
static void functions_made_at_run_time(void **state)
{
	struct ext_bytes f = make_file(&targets[3]);

	(void)state;
	put(&f, MODS + 72 + 37, 1, MODULE_MADE);
	expect_ignored(&f,
		       "the module at byte 392 was made at run time, but its range is not that of "
		       "the 0 functions");
}

/* In it any address is good. */
static void addresses_of_several_modules(void **state)
{
	struct ext_bytes f = make_file(&targets[3]);
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct recorded rec;

	(void)state;
	memset(f.at + MODS + 72, 0, 24);
	put(&f, MODS + 72 + 37, 1, MODULE_UNLOADED | MODULE_SEVERAL);
	put(&f, HIST + 8, 8, UINT64_MAX);
	assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
	assert_true(recorded_module_is_several(&rec.modules.at[1]));
	put(&f, MODS + 72 + 36, 1, 20);
	expect_ignored(&f, "the module at byte 392 stands for several objects, but has a build id");
	arena_free(&mem);
}

/* Nobody can have had so many. */
static void too_many_modules(void **state)
{
	enum { MOST = 4096, BYTES = TABLE + ENTRY + 72 * (MOST + 1) };
	struct ext_bytes f = { .target = targets[3], .size = BYTES };
	struct ext_expected expected = { &f.target, STAMP, BYTES, "FILE", NULL };
	unsigned char *bytes = calloc(1, BYTES);

	(void)state;
	assert_non_null(bytes);
	put_head(&f);
	put(&f, AT_SECTIONS, 4, 1);
	for (unsigned n = MOST; n <= MOST + 1; n++) {
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct recorded rec;

		put_section(&f, 0, "MODS", 72, TABLE + ENTRY, n);
		memcpy(bytes, f.at, TABLE + ENTRY);
		expected.diag = &diag;
		assert_int_equal(ext_read(&rec, bytes, &expected, &mem), n > MOST ? -1 : 0);
		if (n > MOST)
			expect_message(&log, "section MODS at byte 64 has 4097 modules, more than "
					     "4096 a recording");
		arena_free(&mem);
	}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_recordings_have),
		cmocka_unit_test(line_costs_that_two_modules_have),
		cmocka_unit_test(functions_made_at_run_time),
		cmocka_unit_test(addresses_of_several_modules),
		cmocka_unit_test(too_many_modules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
