/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of gmon.out.ext: processes of gprof --run, and what may be wrong with them. */
#include "extbytes.h"

#include "analysis/stacks/processes.h"

enum { PROC = END, RECORD = 56, LONG_RECORD = 64 };

/* Process 7 below 6, of recording 2: "a.out", killed by signal 9. */
static struct ext_bytes make_process(const struct target *target)
{
	struct ext_bytes f = make_file(target);

	f.size = PROC + RECORD;
	put(&f, AT_BYTES, 8, f.size);
	put_section(&f, 0, "PROC", RECORD, PROC, 1);
	put(&f, PROC, 4, 7);
	put(&f, PROC + 4, 4, 6);
	put(&f, PROC + 8, 4, 2);
	put(&f, PROC + 12, 4, A_OUT);
	put(&f, PROC + 16, 4, 2);
	put(&f, PROC + 20, 4, 9);
	for (unsigned i = 0; i < 4; i++)
		put(&f, PROC + 24 + 8 * (size_t)i, 8, (UINT64_C(1) << 40) + 4 - i);
	return f;
}

static void fields(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct ext_bytes f = make_process(&targets[i]);
		struct arena mem = test_arena();
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct recorded rec;
		const struct recorded_process *p;

		assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
		assert_int_equal(rec.processes.n, 1);
		p = rec.processes.at;
		assert_int_equal(p->pid, 7);
		assert_int_equal(p->parent, 6);
		assert_int_equal(p->recording, 2);
		assert_int_equal(p->ending, PROCESS_KILLED);
		assert_int_equal(p->status, 9);
		assert_string_equal(p->command, "a.out");
		assert_string_equal(p->program, "a.out");
		assert_int_equal(p->start, (UINT64_C(1) << 40) + 4);
		assert_int_equal(p->before_ns, (UINT64_C(1) << 40) + 1);
		arena_free(&mem);
	}
}

/* How many there are is known from the start of a file, in both orders of bytes. */
static void counted(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		struct ext_bytes f = make_process(&targets[i]);

		put(&f, AT_POINTERS, 4, 16); /* not looked at */
		assert_int_equal(ext_listed_records(f.at, f.size, EXT_PROCESSES), 1);
		assert_int_equal(ext_listed_records(f.at, DATA, EXT_PROCESSES), 1);
		assert_int_equal(ext_listed_records(f.at, DATA, EXT_SITES), 0);
		assert_int_equal(ext_listed_records(f.at, DATA - 1, EXT_PROCESSES), 0);
		assert_int_equal(ext_listed_records(f.at, AT_STAMP, EXT_PROCESSES), 0);
		put(&f, AT_SECTIONS, 4, UINT32_MAX);
		assert_int_equal(ext_listed_records(f.at, f.size, EXT_PROCESSES), 0);
		put(&f, AT_VERSION, 4, GMON_EXT_VERSION + 1);
		assert_int_equal(ext_listed_records(f.at, f.size, EXT_PROCESSES), 0);
	}
}

/* In a sum each process says which program it ran, if not the one that is marked. */
static void programs(void **state)
{
	struct ext_bytes f = make_process(&targets[3]);
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct recorded rec;

	(void)state;
	f.size = PROC + LONG_RECORD;
	put(&f, AT_BYTES, 8, f.size);
	put_section(&f, 0, "PROC", LONG_RECORD, PROC, 1);
	put(&f, PROC + RECORD, 8, 0);
	assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
	assert_string_equal(rec.processes.at[0].program, "a.out");
	put(&f, PROC + RECORD, 4, LIBM);
	assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
	assert_string_equal(rec.processes.at[0].program, "/lib/libm.so.6");
	put(&f, PROC + RECORD, 4, sizeof(strings));
	expect_ignored(&f, "string");
	arena_free(&mem);
}

/* What a file says of itself is not believed before its bytes are there. */
static void refused(void **state)
{
	struct ext_bytes good = make_process(&targets[3]), f = good;

	(void)state;
	put(&f, PROC + 8, 4, 3);
	expect_ignored(&f, "recording");
	put(&f, PROC + 8, 4, UINT32_MAX);
	expect_ignored(&f, "recording");
	f = good;
	put(&f, PROC + 12, 4, sizeof(strings));
	expect_ignored(&f, "string");
	f = good;
	put_section(&f, 0, "PROC", RECORD - 1, PROC, 1);
	expect_ignored(&f, "PROC");
	f = good;
	put_section(&f, 0, "PROC", RECORD, PROC, 2);
	expect_ignored(&f, "2 records of 56 bytes, more than the file");
	put_section(&f, 0, "PROC", RECORD, PROC, UINT64_MAX / RECORD + 2);
	expect_ignored(&f, "records of 56 bytes, more than the file");
	put_section(&f, 0, "PROC", RECORD, UINT64_MAX - RECORD + 1, 1);
	expect_ignored(&f, "after the end");
}

/* Numbers may be any: what is made of them is bounded, and an unknown ending is none. */
static void any_numbers(void **state)
{
	struct ext_bytes f = make_process(&targets[3]);
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct recorded rec;
	struct processes made;

	(void)state;
	memset(f.at + PROC, 0xff, RECORD);
	put(&f, PROC + 8, 4, 0);
	put(&f, PROC + 12, 4, A_OUT);
	put(&f, PROC + 40, 8, 0);
	assert_int_equal(read_file(&rec, &f, &mem, &diag), 0);
	assert_int_equal(rec.processes.at[0].ending, PROCESS_GOES_ON);
	made = processes_make(&rec, (const uint64_t[]){ 30, 4 }, &mem);
	assert_int_equal(made.nrows, 1);
	assert_int_equal(made.row[0].ticks, 30);
	assert_int_equal(made.cpu_ns, 0);
	assert_int_equal(made.covered, 0); /* less CPU time than there was before */
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields),      cmocka_unit_test(counted),
		cmocka_unit_test(programs),    cmocka_unit_test(refused),
		cmocka_unit_test(any_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
