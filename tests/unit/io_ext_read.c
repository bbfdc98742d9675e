/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of gmon.out.ext, on files made by hand for both widths and orders. */
#include "extbytes.h"

static void expect_objects(const struct recorded *rec, const struct target *target)
{
	assert_int_equal(rec->arcs.n, 2);
	assert_int_equal(rec->arcs.at[0].from_module, 0);
	assert_int_equal(rec->arcs.at[0].self_module, 1);
	assert_int_equal(rec->arcs.at[0].from, 0x1008);
	assert_int_equal(rec->arcs.at[0].self, 0x1100);
	assert_true(rec->arcs.at[0].thread == RECORDED_NONE);
	assert_int_equal(rec->arcs.at[0].first, 0);
	assert_true(rec->arcs.at[1].from_module == RECORDED_NONE);
	assert_true(rec->arcs.at[1].from ==
		    (target->sign_extend ? 0xffffffff80000004 : 0x80000004));
	assert_int_equal(rec->arcs.at[1].calls, 6);
	assert_int_equal(rec->arcs.at[1].thread, 1);
	assert_int_equal(rec->arcs.at[1].first, 1);
	assert_int_equal(rec->bins.n, 2);
	assert_int_equal(rec->bins.at[0].module, 1);
	assert_int_equal(rec->bins.at[0].kind, 0);
	assert_int_equal(rec->bins.at[0].address, 0x1fff);
	assert_true(rec->bins.at[1].module == RECORDED_NONE);
	assert_int_equal(rec->bins.at[1].kind, 1);
	assert_int_equal(rec->bins.at[1].ticks, 21);
	assert_int_equal(rec->ncalls, 11);
	assert_int_equal(rec->bin_ticks, 41);
	assert_int_equal(rec->nobjects, 2);
}

static void expect_recorded(const struct recorded *rec, const struct target *target)
{
	assert_int_equal(rec->modules.n, 2);
	assert_string_equal(rec->modules.at[0].path, "a.out");
	assert_int_equal(rec->modules.at[0].build_id_bytes, 20);
	assert_int_equal(rec->modules.at[0].build_id[19], 'i');
	assert_int_equal(rec->modules.at[0].flags, MODULE_PROGRAM);
	assert_string_equal(rec->modules.at[1].path, "/lib/libm.so.6");
	assert_int_equal(rec->modules.at[1].lo, 0x70001000);
	assert_int_equal(rec->modules.at[1].hi, 0x70002000);
	assert_int_equal(rec->modules.at[1].bias, 0x70000000);
	assert_int_equal(rec->modules.at[1].bytes, 5000);
	assert_int_equal(rec->modules.at[1].build_id_bytes, 0);
	assert_int_equal(rec->modules.at[1].flags, MODULE_UNLOADED);
	assert_int_equal(rec->threads.n, 2);
	assert_int_equal(rec->threads.at[1].tid, 101);
	assert_int_equal(rec->threads.at[1].recording, 2);
	assert_string_equal(rec->threads.at[0].name, "a.out");
	assert_string_equal(rec->threads.at[1].name, "");
	assert_int_equal(rec->threads.at[1].cpu_ns, 1000000007);
	assert_int_equal(rec->kinds.n, 2);
	assert_string_equal(rec->kinds.at[1].name, "wait");
	assert_int_equal(rec->kinds.at[1].unit.rate, 1000000);
	assert_string_equal(rec->kinds.at[1].unit.dimension, "seconds");
	assert_int_equal(rec->kinds.at[1].unit.abbrev, 's');
	assert_int_equal(rec->nodes.n, 4);
	assert_true(rec->nodes.at[0].parent == RECORDED_NONE);
	assert_int_equal(rec->nodes.at[1].module, 1);
	assert_int_equal(rec->nodes.at[1].address, 0x1010);
	assert_int_equal(rec->nodes.at[3].parent, 2);
	assert_true(rec->nodes.at[3].module == RECORDED_NONE);
	assert_true(rec->nodes.at[3].address ==
		    (target->sign_extend ? 0xffffffff80000000 : 0x80000000));
	assert_int_equal(rec->samples.n, 3);
	assert_int_equal(rec->samples.at[1].node, 3);
	assert_int_equal(rec->samples.at[1].thread, 1);
	assert_int_equal(rec->samples.at[1].kind, 1);
	assert_int_equal(rec->samples.at[1].quality, STACK_CUT);
	assert_int_equal(rec->samples.at[1].ticks, 11);
	assert_true(rec->samples.at[2].node == RECORDED_NONE);
	expect_objects(rec, target);
	assert_int_equal(rec->ticks, 33);
	assert_int_equal(rec->nfiles, 3);
	assert_int_equal(rec->nlack, 2);
	assert_int_equal(rec->nignored, 0);
}

static void all_that_it_has(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct ext_bytes f = make_file(&targets[i]);
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct recorded rec;

		assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
		expect_recorded(&rec, &targets[i]);
		/* The program may be of the other order: the file says its own. */
		f.target.big_endian = !f.target.big_endian;
		assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
		expect_recorded(&rec, &targets[i]);
		assert_int_equal(log.n, 0);
		arena_free(&mem);
	}
}

/* One field is wrong. */
static const struct damage {
	size_t at;
	unsigned width;
	uint64_t value;
	const char *text;
} damages[] = {
	{ 7, 1, 'x', "no \"gmonext\" at byte 0" },
	{ AT_VERSION, 4, 2, "version 2 at byte 8, expected 1" },
	{ AT_ORDER, 4, 0x01020305, "byte order 0x" },
	{ AT_POINTERS, 4, 6, "pointers of 6 bytes at byte 16" },
	{ AT_SECTIONS, 4, 1000, "says at byte 20 that it has 1000 sections" },
	{ AT_SECTIONS, 4, UINT32_MAX, "sections, for which it is too short" },
	{ AT_STAMP, 8, STAMP + 1, "FILE: belongs to another profile: ignored" },
	{ AT_BYTES, 8, END + 1, "says at byte 32 that it has" },
	{ AT_BYTES, 8, END - 1, "says at byte 32 that it has" },
	{ TABLE + 8, 8, UNKN + 4, "begins at byte 284, no multiple of 8" },
	{ TABLE + 8, 8, TABLE, "the section listed at byte 40 begins at byte 40, in the table" },
	{ TABLE + 8, 8, 0, "begins at byte 0, in the table" },
	{ TABLE + 8, 8, END + 8, "after the end" },
	{ TABLE + 8, 8, UINT64_MAX - 7, "after the end" },
	{ TABLE + 16, 8, END, "records of 1 bytes, more than the file" },
	{ TABLE + 5 * ENTRY + 16, 8, (UINT64_MAX / 24) + 2, "more than the file" },
	{ TABLE + 16, 8, 9, "two sections overlap at byte 288" },
	{ TABLE + 8, 8, STRS, "two sections overlap at byte 288" },
	{ TABLE + ENTRY + 4, 4, 0,
	  "section STRS, at byte 64, has records of 0 bytes instead of 1" },
	{ TABLE + 2 * ENTRY + 4, 4, 71, "MODS, at byte 88, has records of 71 bytes instead of 72" },
	{ TABLE + 3 * ENTRY + 4, 4, 23, "has records of 23 bytes" },
	{ TABLE + 4 * ENTRY + 4, 4, 31, "has records of 31 bytes" },
	{ TABLE + 5 * ENTRY + 4, 4, 15, "has records of 15 bytes" },
	{ TABLE + 6 * ENTRY + 4, 4, 0, "has records of 0 bytes" },
	{ TABLE + 7 * ENTRY + 4, 4, 7, "has records of 7 bytes" },
	{ TABLE + 7 * ENTRY + 16, 8, 0, "has 0 records instead of one" },
	{ STRS, 1, 'x', "the strings do not begin with a 0, at byte 288" },
	{ STRS + 31, 1, 'x', "the strings do not end with a 0, at byte 319" },
	{ MODS + 8, 8, 0xfff, "the module at byte 320 ends at 0xfff, before its start 0x1000" },
	{ MODS + 32, 4, 32, "the record at byte 320 refers to byte 32 of the strings" },
	{ MODS + 72 + 36, 1, 21, "the module at byte 392 has a build id of 21 bytes" },
	{ THRD + 4, 4, UINT32_MAX, "refers to byte 4294967295" },
	{ THRD + 16, 4, 3, "at byte 464 of THRD refers to recording 3, which does not exist" },
	{ KIND, 4, 50, "refers to byte 50" },
	{ KIND, 4, WAIT, "the first kind of ticks, at byte 512, is not \"cpu\"" },
	{ KIND + 8, 8, UINT64_C(1) << 32, "has 4294967296 ticks a unit" },
	{ NODE, 4, 0,
	  "node 0 at byte 576 has node 0 as its caller, which does not come before it" },
	{ NODE + 24, 4, 2, "node 1 at byte 600 has node 2 as its caller" },
	{ NODE + 4, 4, 2, "refers to module 2" },
	{ SAMP, 4, 4, "refers to node 4" },
	{ SAMP + 24 + 4, 4, 2, "at byte 696 of SAMP refers to thread 2" },
	{ SAMP + 8, 4, UINT32_MAX, "refers to kind 4294967295" },
	{ SAMP + 12, 4, 4, "refers to quality 4" },
	{ SAMP + 24 + 16, 8, UINT64_MAX - 9, "more ticks than 64 bits can hold, at byte 696" },
	{ SUM + 8, 4, 6, "is the sum of 5 recordings, of which 6 have modules, at byte 744" },
	{ SUM, 4, 0, "section THRD at byte 464 belongs to no recording" },
	{ SUM + 8, 4, 0, "section ARCS at byte 760 belongs to no recording" },
	{ MODS + 72 + 16, 8, 0x70000800,
	  "has the bias 0x70000800, which is no multiple of the page size" },
	{ MODS + 72 + 37, 1, 12,
	  "the module at byte 392 stands for several objects, but has a place" },
	{ NODE + 8, 8, 0x2000, "at byte 576 of NODE has the address 0x2000, which is outside of" },
	{ NODE + 24 + 8, 8, 0xfff, "has the address 0xfff, which is outside of module 1" },
	{ ARCS, 4, 2, "at byte 760 of ARCS refers to module 2" },
	{ ARCS + 48 + 4, 4, 3, "at byte 808 of ARCS refers to module 3" },
	{ ARCS + 8, 8, 0, "at byte 760 of ARCS has the address 0x0, which is outside of module 0" },
	{ ARCS + 48 + 16, 8, 0x2000, "has the address 0x2000, which is outside of module 1" },
	{ ARCS + 32, 4, 2, "of ARCS refers to thread 2" },
	{ ARCS + 48 + 24, 8, UINT64_MAX - 4, "more calls than 64 bits can hold, at byte 808" },
	{ HIST, 4, 7, "at byte 856 of HIST refers to module 7" },
	{ HIST + 4, 4, 2, "at byte 856 of HIST refers to kind 2" },
	{ HIST + 8, 8, 0x2000, "of HIST has the address 0x2000, which is outside of module 1" },
	{ HIST + 24 + 16, 8, UINT64_MAX - 19, "more ticks than 64 bits can hold, at byte 880" },
	{ TABLE + 8 * ENTRY + 4, 4, 39, "has records of 39 bytes instead of 40" },
	{ TABLE + 9 * ENTRY + 4, 4, 23, "has records of 23 bytes instead of 24" },
};

static void each_field_is_checked(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		for (size_t k = 0; k < COUNT(damages); k++) {
			const struct damage *d = &damages[k];
			struct ext_bytes f = make_file(&targets[i]);

			put(&f, d->at, d->width, d->value);
			expect_ignored(&f, d->text);
		}
	}
}

static void known_sections_come_once(void **state)
{
	struct ext_bytes f = make_file(&targets[0]);

	(void)state;
	memcpy(f.at + TABLE, "NODE", 4);
	put(&f, TABLE + 4, 4, 24);
	put(&f, TABLE + 16, 8, 0);
	expect_ignored(&f, "a second section NODE, at byte 160");
}

/* What threads' records have behind the short ones of old; and half of it is nothing. */
static void looks_at_threads(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		for (uint32_t record = 24; record <= 48; record += 8) {
			struct ext_bytes f = make_file(&targets[i]);
			struct arena mem = test_arena();
			struct messages log = { 0 };
			struct diag diag = test_diag(&log);
			bool known = record >= 40;
			struct recorded rec;

			put_section(&f, 3, "THRD", record, END, 1);
			memset(f.at + END, 0, 64);
			put(&f, END, 4, 100);
			put(&f, END + 24, 8, 7);
			put(&f, END + 32, 8, UINT64_MAX);
			put(&f, END + 40, 8, 55);
			f.size = END + record;
			put(&f, AT_BYTES, 8, f.size);
			put(&f, SAMP + 24 + 4, 4, 0);
			put(&f, SAMP + 48 + 4, 4, 0);
			put(&f, ARCS + 48 + 32, 4, 0);
			assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
			assert_int_equal(log.n, 0);
			assert_int_equal(rec.threads.n, 1);
			assert_int_equal(rec.threads.at[0].tid, 100);
			assert_true(rec.threads.at[0].looks == (known ? 7 : 0));
			assert_true(rec.threads.at[0].squares == (known ? UINT64_MAX : 0));
			arena_free(&mem);
		}
	}
}

/* Longer strings would have to be guessed at. */
static void strings_are_of_bytes(void **state)
{
	struct ext_bytes f = make_file(&targets[0]);

	(void)state;
	put_section(&f, 1, "STRS", 2, STRS, sizeof(strings) / 2);
	expect_ignored(&f, "section STRS, at byte 64, has records of 2 bytes instead of 1");
}

static void cut_anywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		for (size_t n = 0; n < END; n++) {
			struct ext_bytes f = make_file(&targets[i]);

			f.size = n;
			expect_ignored(&f, "");
			/* It says the size that it has. */
			put(&f, AT_BYTES, 8, n);
			if (n > AT_BYTES + 8)
				expect_ignored(&f, "");
		}
	}
}

/* As programs of 32 bits have it whose code is below where it was linked. */
static void narrow_bias_may_be_negative(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct ext_bytes f = make_file(&targets[i]);
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct recorded rec;
		uint64_t linked;

		put(&f, MODS + 72 + 16, 8, 0xf0000000);
		put(&f, NODE + 24 + 8, 8, 0x80001010);
		put(&f, ARCS + 16, 8, 0x80001fff);
		put(&f, ARCS + 48 + 16, 8, 0x80001000);
		put(&f, HIST + 8, 8, 0x80001800);
		if (f.target.ptr_size == 8)
			put(&f, MODS + 72 + 16, 8, UINT64_C(0xfffffffff0000000));
		assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
		linked = rec.modules.at[1].lo - rec.modules.at[1].bias;
		assert_true(linked ==
			    (f.target.sign_extend ? UINT64_C(0xffffffff80001000) : 0x80001000));
		assert_int_equal(rec.modules.at[1].lo, 0x70001000);
		arena_free(&mem);
		put(&f, MODS + 72 + 16, 8, 0x70001001);
		if (f.target.ptr_size == 8)
			expect_ignored(&f,
				       "byte 392, 0x70001000-0x70002000, has the bias 0x70001001");
	}
}

/* What is missing is empty, as long as nothing refers to it. */
static void sections_may_be_missing(void **state)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct ext_bytes f = make_file(&targets[0]);
	struct recorded rec;

	(void)state;
	f.size = TABLE;
	put(&f, AT_SECTIONS, 4, 0);
	put(&f, AT_BYTES, 8, TABLE);
	assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
	assert_int_equal(log.n, 0);
	assert_int_equal(rec.nodes.n + rec.samples.n + rec.threads.n + rec.kinds.n, 0);
	assert_int_equal(rec.nfiles, 1);
	assert_int_equal(rec.nlack, 0);
	assert_int_equal(rec.nobjects, 0);
	f = make_file(&targets[0]);
	memcpy(f.at + TABLE + 4 * ENTRY, "kind", 4);
	expect_ignored(&f, "at byte 672 of SAMP refers to kind 0");
	arena_free(&mem);
}

/* The start of the file tells, and nothing behind it is asked for. */
static void the_head_alone(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct ext_bytes f = make_file(&targets[3]);
	struct ext_expected expected = { &f.target, STAMP, END, "FILE", &diag };

	(void)state;
	assert_int_equal(ext_check(f.at, TABLE, &expected), 0);
	assert_int_equal(log.n, 0);
	assert_int_equal(ext_check(f.at, TABLE - 1, &expected), -1);
	expect_message(&log, "cut short in the head, at byte 39");
	expected.size++;
	assert_int_equal(ext_check(f.at, TABLE, &expected), -1);
	expect_message(&log, "says at byte 32 that it has 904 bytes, but has 905");
	expected.stamp++;
	assert_int_equal(ext_check(f.at, TABLE, &expected), -1);
	expect_message(&log, "test: warning: FILE: belongs to another profile: ignored");
}

/* Values that the authors of FNV-1a publish. */
static void stamps_are_fnv(void **state)
{
	static const uint64_t start = UINT64_C(0xcbf29ce484222325);

	(void)state;
	assert_true(ext_stamp(start, (const unsigned char *)"", 0) == start);
	assert_true(ext_stamp(start, (const unsigned char *)"a", 1) == 0xaf63dc4c8601ec8c);
	assert_true(ext_stamp(start, (const unsigned char *)"foobar", 6) == 0x85944171f73967e8);
	assert_true(ext_stamp(ext_stamp(start, (const unsigned char *)"foo", 3),
			      (const unsigned char *)"bar", 3) == 0x85944171f73967e8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_it_has),
		cmocka_unit_test(each_field_is_checked),
		cmocka_unit_test(known_sections_come_once),
		cmocka_unit_test(strings_are_of_bytes),
		cmocka_unit_test(looks_at_threads),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(sections_may_be_missing),
		cmocka_unit_test(narrow_bias_may_be_negative),
		cmocka_unit_test(the_head_alone),
		cmocka_unit_test(stamps_are_fnv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
