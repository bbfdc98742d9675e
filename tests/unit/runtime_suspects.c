/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes between functions, and of dropped ones, mark the functions to which they may lead. */
#include "testing.h"

#include <gmon_ext.h>

#include "calls/suspects.h"

enum { BYTES = 256, MARKS = 64, TARGET = 200, CALL = 0xe8, JUMP_IF = 0x84, RELATIVE = 0x0d };

static uint8_t bytes[BYTES];
static uintptr_t marked[MARKS];
static size_t nmarked;

void code_mark(const struct code *code, uintptr_t at, unsigned why)
{
	(void)code;
	assert_int_equal(why, GMON_EXT_PARTIAL_UNCOUNTED);
	assert_true(nmarked < MARKS);
	marked[nmarked++] = at;
}

static bool is_marked(uintptr_t at)
{
	for (size_t i = 0; i < nmarked; i++)
		if (marked[i] == at)
			return true;
	return false;
}

/* Two functions, [16, 32) and [64, 96), in one segment of code. */
static struct code_function functions[2];

static struct code code_begin(void)
{
	const uintptr_t low = (uintptr_t)bytes;
	struct code code = { .low = low, .high = low + BYTES, .ntext = 1, .nfunctions = 2 };

	code.function = functions;
	code.text[0] = (struct code_segment){ code.low, code.high };
	functions[0] = (struct code_function){ .low = low + 16, .high = low + 32 };
	functions[1] = (struct code_function){ .low = low + 64, .high = low + 96 };
	memset(bytes, 0x90, sizeof(bytes));
	nmarked = 0;
	return code;
}

/* Puts the distance to TARGET at an offset, behind two bytes. */
static void put(size_t at, int first, int second)
{
	const int32_t distance = (int32_t)(TARGET - (at + sizeof(distance)));

	bytes[at - 2] = (uint8_t)first;
	bytes[at - 1] = (uint8_t)second;
	memcpy(bytes + at, &distance, sizeof(distance));
}

static void test_distances(void **state)
{
	static const struct {
		int first, second;
		bool may_be;
	} before[] = {
		{ 0x90, CALL, true },     { 0x90, CALL + 1, true }, { 0x0f, JUMP_IF, true },
		{ 0x8b, RELATIVE, true }, { 0x90, JUMP_IF, false }, { 0x8b, 0xc0, false },
	};
	const struct code code = code_begin();

	(void)state;
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		put(40, before[i].first, before[i].second);
		nmarked = 0;
		suspects_before(&code, 1);
		assert_int_equal(is_marked(code.low + TARGET), before[i].may_be);
	}
}

/* The bytes of the function before, and of its own, are not between. */
static void test_between(void **state)
{
	const struct code code = code_begin();

	(void)state;
	put(26, 0x90, CALL);
	put(32, 0x90, CALL);
	put(70, 0x90, CALL);
	suspects_before(&code, 1);
	assert_false(is_marked(code.low + TARGET));
	put(10, 0x90, CALL);
	suspects_before(&code, 1);
	assert_false(is_marked(code.low + TARGET));
	suspects_before(&code, 0);
	assert_true(is_marked(code.low + TARGET));
}

/* Code below 4 GB may be named by its address. */
static void test_address(void **state)
{
	struct code code = code_begin();
	const uint32_t address = 0x400080;

	(void)state;
	memcpy(bytes + 40, &address, sizeof(address));
	suspects_before(&code, 1);
	assert_false(is_marked(address));
	code.low = 0x400000;
	code.high = 0x500000;
	suspects_before(&code, 1);
	assert_true(is_marked(address));
}

static void test_dropped(void **state)
{
	const struct code code = code_begin();

	(void)state;
	put(70, 0x90, CALL);
	assert_int_equal(suspects_left(&code), 0);
	assert_false(is_marked(code.low + TARGET));
	functions[1].dropped = true;
	assert_int_equal(suspects_left(&code), 1);
	assert_true(is_marked(code.low + TARGET));
	functions[1].dropped = false;
	put(120, 0x90, CALL);
	nmarked = 0;
	assert_int_equal(suspects_left(&code), 0);
	assert_true(is_marked(code.low + TARGET));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distances),
		cmocka_unit_test(test_between),
		cmocka_unit_test(test_address),
		cmocka_unit_test(test_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
