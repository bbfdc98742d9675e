/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short texts, and the lines that libgmon says on stderr. */
#include "base/text.h"

#include <errno.h>

#include "runtime_said.h"
#include "testing.h"

static void test_adding(void **state)
{
	char buffer[12] = "something";
	struct text text = text_in(buffer, sizeof(buffer));

	(void)state;
	assert_string_equal(buffer, "");
	text_add(&text, "abc");
	text_add_bytes(&text, "defgh", 2);
	text_add_number(&text, 0);
	text_add_number(&text, 12345);
	assert_string_equal(buffer, "abcde012345");
	assert_int_equal(text.length, 11);
	assert_false(text.full);
	text_add(&text, "");
	assert_false(text.full);
	text_add(&text, "x");
	assert_true(text.full);
	assert_string_equal(buffer, "abcde012345");
}

/* What fits is there, with its end. */
static void test_full(void **state)
{
	char buffer[8];
	struct text text = text_in(buffer, 5);

	(void)state;
	memset(buffer + 5, '#', 3);
	text_add(&text, "abcdef");
	assert_true(text.full);
	assert_string_equal(buffer, "abcd");
	assert_int_equal(text.length, 4);
	assert_memory_equal(buffer + 5, "###", 3);
	text = text_after(buffer, 8);
	assert_int_equal(text.length, 4);
	text_add(&text, "ef");
	assert_false(text.full);
	assert_string_equal(buffer, "abcdef");
}

static void test_numbers(void **state)
{
	char buffer[32];
	struct text text = text_in(buffer, sizeof(buffer));

	(void)state;
	text_add_number(&text, UINT64_MAX);
	assert_string_equal(buffer, "18446744073709551615");
}

static void test_reading(void **state)
{
	(void)state;
	assert_int_equal(text_length(""), 0);
	assert_int_equal(text_length("abc"), 3);
	assert_true(text_equal("", ""));
	assert_true(text_equal("abc", "abc"));
	assert_false(text_equal("abc", "ab"));
	assert_false(text_equal("ab", "abc"));
	assert_false(text_equal("abc", "abd"));
	assert_true(text_equal_n("abcd", 3, "abc"));
	assert_false(text_equal_n("abc", 2, "abc"));
	assert_false(text_equal_n("abc", 3, "ab"));
	assert_string_equal(text_skip("RTMIN+1", "RTMIN"), "+1");
	assert_string_equal(text_skip("sum", "sum"), "");
	assert_null(text_skip("su", "sum"));
	assert_string_equal(text_last_part("name"), "name");
	assert_string_equal(text_last_part("/a/b/name"), "name");
	assert_string_equal(text_last_part("a/"), "");
}

static void expect_line(const char *what, const char *name, long error, const char *line)
{
	struct said said = said_begin();

	text_complain(what, name, error);
	said_end(&said);
	assert_string_equal(said.text, line);
}

static void test_complaints(void **state)
{
	(void)state;
	expect_line("words", NULL, 0, "libgmon: words\n");
	expect_line("cannot write", "gmon.out", 0, "libgmon: cannot write gmon.out\n");
	expect_line("cannot write", "gmon.out", -ENOSPC,
		    "libgmon: cannot write gmon.out: No space left on device\n");
	expect_line("words", NULL, -EPERM, "libgmon: words: Operation not permitted\n");
	expect_line("words", NULL, -4000, "libgmon: words: error 4000\n");
}

/* Nothing that a terminal takes for a command: C0, DEL, and C1 as UTF-8 or as bytes; other letters
 * stay. */
static void test_tame(void **state)
{
	(void)state;
	expect_line("a\033[2Jb\nc\x7f",
		    "\xc2\x9b"
		    "d",
		    0, "libgmon: a?[2Jb?c? \xc2?d\n");
	expect_line("\xc3\x9c", "\xc2\xb5\x9b", 0, "libgmon: \xc3\x9c \xc2\xb5?\n");
	expect_line("\x80\x9f\xa0\xff", "\xe2\x82\xac\xf0\x9f\x98\x80\x80", 0,
		    "libgmon: ??\xa0\xff \xe2\x82\xac\xf0\x9f\x98\x80?\n");
}

static void test_long(void **state)
{
	char name[1000];
	struct said said = said_begin();

	(void)state;
	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	text_complain("cannot write", name, -ENOSPC);
	said_end(&said);
	assert_int_equal(strlen(said.text), 511);
	assert_string_equal(said.text + 508, "nn\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_adding),     cmocka_unit_test(test_full),
		cmocka_unit_test(test_numbers),    cmocka_unit_test(test_reading),
		cmocka_unit_test(test_complaints), cmocka_unit_test(test_tame),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests_name("runtime_text", tests, NULL, NULL);
}
