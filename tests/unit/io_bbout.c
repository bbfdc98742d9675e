/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/bbout: counts of basic blocks from the text of old gcc. */
#include "config.h"

#include "io/profile/bbout.h"
#include "testing.h"

static int read_text(struct profile *prof, const char *text, struct messages *log,
		     struct arena *mem)
{
	struct diag diag = test_diag(log);

	*prof = (struct profile){ 0 };
	return bbout_read(prof, text, strlen(text), "bb.out", mem, &diag);
}

static void blocks_are_taken(void **state)
{
	static const char text[] =
		"Basic block profiling finished on Mon Jan  1 00:00:00 1990\n\n"
		"File x.c, 2 basic blocks \n\n"
		"    Block #1: executed 12 time(s) address= 0x401017 function= leaf line= 5 file= x.c\n"
		"    Block #2: executed          7 time(s) address= 0x40103b\r\n"
		"Block #1: executed 18446744073709551615 time address= 10";
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct profile prof;

	(void)state;
	assert_int_equal(read_text(&prof, text, &log, &mem), 0);
	assert_int_equal(prof.blocks.n, 3);
	assert_int_equal(prof.blocks.at[0].pc, 0x401017);
	assert_int_equal(prof.blocks.at[0].count, 12);
	assert_int_equal(prof.blocks.at[1].pc, 0x40103b);
	assert_int_equal(prof.blocks.at[1].count, 7);
	assert_int_equal(prof.blocks.at[2].pc, 0x10);
	assert_true(prof.blocks.at[2].count == UINT64_MAX);
	arena_free(&mem);
}

static void expect_refused(const char *text, const char *message)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct profile prof;

	assert_int_equal(read_text(&prof, text, &log, &mem), -1);
	expect_message(&log, message);
	arena_free(&mem);
}

static void others_are_refused(void **state)
{
	(void)state;
	expect_refused("", "bb.out: no basic-block counts");
	expect_refused("File x.c, 2 basic blocks\n", "bb.out: no basic-block counts");
	expect_refused("\nBlock #1: executed -1 time(s) address= 0x1\n",
		       "bb.out:2: a block without");
	expect_refused("Block #1: executed x time(s) address= 0x1\n", "bb.out:1: a block without");
	expect_refused("Block #1: executed 1 time(s)\n", "bb.out:1: a block without");
	expect_refused("Block #1: executed 1 time(s) address= 0xg\n", "bb.out:1: a block without");
	expect_refused("Block #1: executed 18446744073709551616 time(s) address= 0x1\n",
		       "bb.out:1: a block without");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_taken),
		cmocka_unit_test(others_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
