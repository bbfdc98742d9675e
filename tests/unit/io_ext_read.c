/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of gmon.out.ext, on files made by hand for both widths and orders. */
#include "putbytes.h"

#include "io/profile/ext_read.h"

/* Where things are in the file that make_file() makes. */
enum {
	AT_VERSION = 8,
	AT_ORDER = 12,
	AT_POINTERS = 16,
	AT_SECTIONS = 20,
	AT_STAMP = 24,
	AT_BYTES = 32,
	TABLE = 40,
	NSECTIONS = 8, /* UNKN STRS MODS THRD KIND NODE SAMP SUM */
	ENTRY = 24,
	DATA = TABLE + NSECTIONS * ENTRY,
	UNKN = DATA,
	STRS = UNKN + 8,
	MODS = STRS + 32,
	THRD = MODS + 2 * 72,
	KIND = THRD + 2 * 24,
	NODE = KIND + 2 * 32,
	SAMP = NODE + 4 * 24, /* longer records than are known */
	SUM = SAMP + 3 * 24,
	END = SUM + 8,
	STAMP = 0x1234567890
};

static const char strings[32] = "\0a.out\0/lib/libm.so.6\0cpu\0wait";
enum { A_OUT = 1, LIBM = 7, CPU = 22, WAIT = 26 };

static const struct target targets[] = { { .ptr_size = 4 },
					 { .ptr_size = 4, .big_endian = true },
					 { .ptr_size = 4, .big_endian = true, .sign_extend = true },
					 { .ptr_size = 8 },
					 { .ptr_size = 8, .big_endian = true } };

struct ext_bytes {
	struct target target;
	size_t size;
	unsigned char at[END + 64];
};

static void put(struct ext_bytes *f, size_t at, unsigned nbytes, uint64_t value)
{
	put_bytes(f->at, sizeof(f->at), &f->target, at, nbytes, value);
}

static void put_section(struct ext_bytes *f, int i, const char *tag, uint32_t record, size_t at,
			uint64_t n)
{
	memcpy(f->at + TABLE + i * ENTRY, tag, 4);
	put(f, (size_t)(TABLE + i * ENTRY + 4), 4, record);
	put(f, (size_t)(TABLE + i * ENTRY + 8), 8, at);
	put(f, (size_t)(TABLE + i * ENTRY + 16), 8, n);
}

static void put_head(struct ext_bytes *f)
{
	memcpy(f->at, "gmonext\n", 8);
	put(f, AT_VERSION, 4, 1);
	put(f, AT_ORDER, 4, 0x01020304);
	put(f, AT_POINTERS, 4, f->target.ptr_size);
	put(f, AT_SECTIONS, 4, NSECTIONS);
	put(f, AT_STAMP, 8, STAMP);
	put(f, AT_BYTES, 8, f->size);
	put_section(f, 0, "UNKN", 1, UNKN, 8);
	put_section(f, 1, "STRS", 1, STRS, sizeof(strings));
	put_section(f, 2, "MODS", 72, MODS, 2);
	put_section(f, 3, "THRD", 24, THRD, 2);
	put_section(f, 4, "KIND", 32, KIND, 2);
	put_section(f, 5, "NODE", 24, NODE, 4);
	put_section(f, 6, "SAMP", 24, SAMP, 3);
	put_section(f, 7, "SUM ", 8, SUM, 1);
}

static void put_module(struct ext_bytes *f, int i, uint64_t low, uint64_t bias, uint32_t path,
		       unsigned flags)
{
	size_t at = (size_t)(MODS + 72 * i);

	put(f, at, 8, low);
	put(f, at + 8, 8, low + 0x1000);
	put(f, at + 16, 8, bias);
	put(f, at + 24, 8, 5000);
	put(f, at + 32, 4, path);
	put(f, at + 36, 1, i == 0 ? 20 : 0);
	put(f, at + 37, 1, flags);
	memset(f->at + at + 40, 'i', 20);
}

static void put_node(struct ext_bytes *f, int i, uint32_t parent, uint32_t module, uint64_t address)
{
	size_t at = (size_t)(NODE + 24 * i);

	put(f, at, 4, parent);
	put(f, at + 4, 4, module);
	put(f, at + 8, 8, address);
	memset(f->at + at + 16, 0xaa, 8);
}

static void put_sample(struct ext_bytes *f, int i, uint32_t node, uint32_t thread, uint32_t kind,
		       uint32_t quality)
{
	size_t at = (size_t)(SAMP + 24 * i);

	put(f, at, 4, node);
	put(f, at + 4, 4, thread);
	put(f, at + 8, 4, kind);
	put(f, at + 12, 4, quality);
	put(f, at + 16, 8, 10 + (uint64_t)i);
}

static struct ext_bytes make_file(const struct target *target)
{
	struct ext_bytes f = { .target = *target, .size = END };

	put_head(&f);
	memcpy(f.at + STRS, strings, sizeof(strings));
	put_module(&f, 0, 0x1000, 0, A_OUT, 1);
	put_module(&f, 1, 0x70001000, 0x70000000, LIBM, 4);
	for (int i = 0; i < 2; i++) {
		put(&f, (size_t)(THRD + 24 * i), 4, 100 + (uint64_t)i);
		put(&f, (size_t)(THRD + 24 * i + 4), 4, i == 0 ? A_OUT : 0);
		put(&f, (size_t)(THRD + 24 * i + 8), 8, 1000000007);
		put(&f, (size_t)(THRD + 24 * i + 16), 4, 2 * (uint64_t)i);
		put(&f, (size_t)(KIND + 32 * i), 4, i == 0 ? CPU : WAIT);
		put(&f, (size_t)(KIND + 32 * i + 8), 8, i == 0 ? 100 : 1000000);
		memcpy(f.at + KIND + 32 * i + 16, "seconds", 7);
		f.at[KIND + 32 * i + 31] = 's';
	}
	put_node(&f, 0, UINT32_MAX, 0, 0x1004);
	put_node(&f, 1, 0, 1, 0x1010);
	put_node(&f, 2, 0, 0, 0x1020);
	put_node(&f, 3, 2, UINT32_MAX, 0x80000000);
	put_sample(&f, 0, 1, 0, 0, 0);
	put_sample(&f, 1, 3, 1, 1, 3);
	put_sample(&f, 2, UINT32_MAX, 1, 0, 2);
	put(&f, SUM, 4, 3);
	put(&f, SUM + 4, 4, 2);
	return f;
}

static int read_file(struct recorded *rec, const struct ext_bytes *f, struct arena *mem,
		     struct diag *diag)
{
	struct ext_expected expected = { &f->target, STAMP, f->size, "FILE", diag };
	/* Nothing behind the end may be read: a checker sees it. */
	unsigned char *copy = malloc(f->size + (f->size == 0));
	int rc;

	assert_non_null(copy);
	memcpy(copy, f->at, f->size);
	rc = ext_read(rec, copy, &expected, mem);
	free(copy);
	return rc;
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

static void expect_ignored(const struct ext_bytes *f, const char *text)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct recorded rec;

	assert_int_equal(read_file(&rec, f, &mem, &diag), -1);
	assert_int_equal(strncmp(log.line[0], "test: warning: FILE: ", 21), 0);
	assert_non_null(strstr(log.line[0], ": ignored"));
	assert_int_equal(diag.nerrors, 0);
	expect_message(&log, text);
	arena_free(&mem);
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
	{ AT_STAMP, 8, STAMP + 1, "FILE: is of another profile: ignored" },
	{ AT_BYTES, 8, END + 1, "says at byte 32 that it has" },
	{ AT_BYTES, 8, END - 1, "says at byte 32 that it has" },
	{ TABLE + 8, 8, UNKN + 4, "begins at byte 236, no multiple of 8" },
	{ TABLE + 8, 8, TABLE, "the section of byte 40 begins at byte 40, in the table" },
	{ TABLE + 8, 8, 0, "begins at byte 0, in the table" },
	{ TABLE + 8, 8, END + 8, "behind the end" },
	{ TABLE + 8, 8, UINT64_MAX - 7, "behind the end" },
	{ TABLE + 16, 8, END, "records of 1 bytes, more than the file" },
	{ TABLE + 5 * ENTRY + 16, 8, (UINT64_MAX / 24) + 2, "more than the file" },
	{ TABLE + 16, 8, 9, "two sections overlap at byte 240" },
	{ TABLE + 8, 8, STRS, "two sections overlap at byte 240" },
	{ TABLE + ENTRY + 4, 4, 0,
	  "section STRS, at byte 64, has records of 0 bytes instead of 1" },
	{ TABLE + 2 * ENTRY + 4, 4, 71, "MODS, at byte 88, has records of 71 bytes instead of 72" },
	{ TABLE + 3 * ENTRY + 4, 4, 23, "has records of 23 bytes" },
	{ TABLE + 4 * ENTRY + 4, 4, 31, "has records of 31 bytes" },
	{ TABLE + 5 * ENTRY + 4, 4, 15, "has records of 15 bytes" },
	{ TABLE + 6 * ENTRY + 4, 4, 0, "has records of 0 bytes" },
	{ TABLE + 7 * ENTRY + 4, 4, 7, "has records of 7 bytes" },
	{ TABLE + 7 * ENTRY + 16, 8, 0, "has 0 records instead of one" },
	{ STRS, 1, 'x', "the strings do not begin with a 0, at byte 240" },
	{ STRS + 31, 1, 'x', "the strings do not end with a 0, at byte 271" },
	{ MODS + 8, 8, 0xfff, "the module at byte 272 ends at 0xfff, before its start 0x1000" },
	{ MODS + 32, 4, 32, "the record at byte 272 has its name at 32 of the strings" },
	{ MODS + 72 + 36, 1, 21, "the module at byte 344 has a build id of 21 bytes" },
	{ THRD + 4, 4, UINT32_MAX, "has its name at 4294967295" },
	{ THRD + 16, 4, 3, "at byte 416 of THRD refers to recording 3, which is not there" },
	{ KIND, 4, 50, "has its name at 50" },
	{ KIND, 4, WAIT, "the first kind of ticks, at byte 464, is not \"cpu\"" },
	{ KIND + 8, 8, UINT64_C(1) << 32, "has 4294967296 ticks a unit" },
	{ NODE, 4, 0, "node 0 at byte 528 has node 0 as its caller, not one before it" },
	{ NODE + 24, 4, 2, "node 1 at byte 552 has node 2 as its caller" },
	{ NODE + 4, 4, 2, "refers to module 2" },
	{ SAMP, 4, 4, "refers to node 4" },
	{ SAMP + 24 + 4, 4, 2, "at byte 648 of SAMP refers to thread 2" },
	{ SAMP + 8, 4, UINT32_MAX, "refers to kind 4294967295" },
	{ SAMP + 12, 4, 4, "refers to quality 4" },
	{ SAMP + 24 + 16, 8, UINT64_MAX - 9, "more ticks than 64 bits can tell, at byte 648" },
	{ SUM, 4, 0, "is the sum of no recording, at byte 696" },
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
				       "byte 344, 0x70001000-0x70002000, has the bias 0x70001001");
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
	f = make_file(&targets[0]);
	memcpy(f.at + TABLE + 4 * ENTRY, "kind", 4);
	expect_ignored(&f, "at byte 624 of SAMP refers to kind 0");
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
	expect_message(&log, "says at byte 32 that it has 704 bytes, but has 705");
	expected.stamp++;
	assert_int_equal(ext_check(f.at, TABLE, &expected), -1);
	expect_message(&log, "test: warning: FILE: is of another profile: ignored");
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
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(sections_may_be_missing),
		cmocka_unit_test(narrow_bias_may_be_negative),
		cmocka_unit_test(the_head_alone),
		cmocka_unit_test(stamps_are_fnv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
