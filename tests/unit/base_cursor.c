/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cursors: values in both byte orders, and what happens at and behind the end. */
#include "testing.h"

#include "base/cursor.h"

static const unsigned char bytes[] = { 0x01, 0x02, 0x03, 0x04, 0x85, 0x06, 0x07, 0x08,
				       0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8 };

static struct cursor make_cursor(size_t size, bool big_endian, struct diag *diag)
{
	return (struct cursor){
		.start = bytes, .size = size, .big_endian = big_endian, .name = "FILE", .diag = diag
	};
}

static void values_in_both_orders(void **state)
{
	static const struct {
		unsigned nbytes;
		uint64_t little, big;
	} cases[] = {
		{ 1, 0x01, 0x01 },
		{ 2, 0x0201, 0x0102 },
		{ 4, 0x04030201, 0x01020304 },
		{ 8, 0x0807068504030201, 0x0102030485060708 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct cursor little = make_cursor(sizeof(bytes), false, &diag);
		struct cursor big = make_cursor(sizeof(bytes), true, &diag);

		assert_int_equal(cursor_uint(&little, cases[i].nbytes, "x"), cases[i].little);
		assert_int_equal(cursor_uint(&big, cases[i].nbytes, "x"), cases[i].big);
		assert_int_equal(cursor_bytes_uint(bytes, cases[i].nbytes, false), cases[i].little);
		assert_int_equal(cursor_bytes_uint(bytes, cases[i].nbytes, true), cases[i].big);
		assert_int_equal(cursor_left(&little), sizeof(bytes) - cases[i].nbytes);
		assert_int_equal(log.n, 0);
	}
}

static void reads_follow_each_other(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct cursor c = make_cursor(sizeof(bytes), true, &diag);

	(void)state;
	assert_int_equal(cursor_uint(&c, 1, "x"), 0x01);
	assert_int_equal(cursor_uint(&c, 4, "x"), 0x02030485);
	assert_ptr_equal(cursor_take(&c, 3, "x"), bytes + 5);
	assert_int_equal(cursor_uint(&c, 8, "x"), 0xf1f2f3f4f5f6f7f8);
	assert_int_equal(cursor_left(&c), 0);
	assert_ptr_equal(cursor_take(&c, 0, "x"), bytes + 16);
	assert_true(cursor_need(&c, 0, "x"));
	assert_false(c.failed);
	assert_int_equal(log.n, 0);
}

static void need_moves_nothing(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct cursor c = make_cursor(10, false, &diag);

	(void)state;
	assert_true(cursor_need(&c, 10, "x"));
	assert_int_equal(cursor_left(&c), 10);
	assert_false(cursor_need(&c, 11, "x"));
	assert_true(c.failed);
	assert_int_equal(log.n, 1);
}

static void underflow_is_said_once_with_its_place(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct cursor c = make_cursor(10, false, &diag);

	(void)state;
	cursor_take(&c, 7, "x");
	assert_int_equal(cursor_uint(&c, 4, "thing"), 0);
	assert_true(c.failed);
	assert_int_equal(diag.nerrors, 1);
	assert_non_null(strstr(log.line[0], "FILE: thing cut short at byte 7"));
	expect_message(&log, "4 bytes needed, 3 left");

	/* The three bytes that are there are not given any more. */
	assert_int_equal(cursor_left(&c), 0);
	assert_int_equal(cursor_uint(&c, 1, "thing"), 0);
	assert_null(cursor_take(&c, 1, "thing"));
	assert_null(cursor_take(&c, 0, "thing"));
	assert_false(cursor_need(&c, 0, "thing"));
	assert_int_equal(log.n, 0);
	assert_int_equal(diag.nerrors, 1);
}

static void sizes_beyond_everything_underflow(void **state)
{
	static const size_t sizes[] = { 11, SIZE_MAX / 2, SIZE_MAX - 1, SIZE_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct messages log = { 0 };
		struct diag diag = test_diag(&log);
		struct cursor c = make_cursor(10, false, &diag);

		cursor_take(&c, 5, "x");
		assert_null(cursor_take(&c, sizes[i], "x"));
		expect_message(&log, "byte 5");
	}
}

static void nothing_has_nothing(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct cursor c = make_cursor(0, true, &diag);

	(void)state;
	assert_int_equal(cursor_left(&c), 0);
	assert_int_equal(cursor_uint(&c, 1, "tag"), 0);
	expect_message(&log, "FILE: tag cut short at byte 0: 1 bytes needed, 0 left");
}

/* The examples of the DWARF standard, and what does not fit. */
static void numbers_of_variable_length(void **state)
{
	static const unsigned char numbers[] = { 2,    0x7f, 0x80, 1,    0x81, 1,    0xb9, 0x64,
						 0x7e, 0xff, 0,    0x80, 0x7f, 0x80, 0x80 };
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct cursor c = { numbers, sizeof(numbers), .name = "FILE", .diag = &diag };

	(void)state;
	assert_int_equal(cursor_uleb(&c, "n"), 2);
	assert_int_equal(cursor_uleb(&c, "n"), 127);
	assert_int_equal(cursor_uleb(&c, "n"), 128);
	assert_int_equal(cursor_uleb(&c, "n"), 129);
	assert_int_equal(cursor_uleb(&c, "n"), 12857);
	assert_int_equal(cursor_sleb(&c, "n"), -2);
	assert_int_equal(cursor_sleb(&c, "n"), 127);
	assert_int_equal(cursor_sleb(&c, "n"), -128);
	assert_int_equal(cursor_uleb(&c, "n"), 0);
	expect_message(&log, "FILE: n cut short at byte 15");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_in_both_orders),
		cmocka_unit_test(reads_follow_each_other),
		cmocka_unit_test(need_moves_nothing),
		cmocka_unit_test(underflow_is_said_once_with_its_place),
		cmocka_unit_test(sizes_beyond_everything_underflow),
		cmocka_unit_test(nothing_has_nothing),
		cmocka_unit_test(numbers_of_variable_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
