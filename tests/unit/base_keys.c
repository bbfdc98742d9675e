/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of KEY=VALUE words: values of all kinds, and what is said about wrong ones. */
#include "testing.h"

#include "base/keys.h"

static const char *const colours[] = { "red", "green", NULL };

enum { FLAG, COUNT, SHARE, TEXT, CHOICE, OTHER };
static const struct keys_row rows[] = {
	KEYS_ROW(FLAG, "option more", "flag", "", "", KEYS_FLAG),
	KEYS_ROW(COUNT, "option", "count", "", "", KEYS_COUNT, .least = 2, .most = 9),
	KEYS_ROW(SHARE, "option", "share", "PERCENT", "", KEYS_SHARE, .low = 0.5, .high = 99.5),
	KEYS_ROW(TEXT, "option", "text", "", "", KEYS_TEXT, .expected = "a word"),
	KEYS_ROW(CHOICE, "option", "colour", "", "", KEYS_CHOICE, .choices = colours),
	KEYS_ROW(OTHER, "option", "other", "", "", KEYS_OTHER),
};
static const struct keys keys = { "--", "option", rows, sizeof(rows) / sizeof(rows[0]) };
static const struct keys more_keys = { "--", "more", rows, sizeof(rows) / sizeof(rows[0]) };
static const struct keys no_keys = { "--", "mo", rows, sizeof(rows) / sizeof(rows[0]) };

static struct keys_words words_of(const struct keys *of, const char *text, struct arena *mem,
				  struct diag *diag)
{
	return (struct keys_words){ of, arena_strndup(mem, text, strlen(text)), mem, diag };
}

static void expect_wrong(const struct keys *of, const char *text, const char *said)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct arena mem = test_arena();
	struct keys_words words = words_of(of, text, &mem, &diag);
	struct keys_value value;

	assert_int_equal(keys_next(&words, &value), KEYS_WRONG);
	assert_int_equal(log.n, 1);
	assert_string_equal(log.line[0] + strlen("test: "), said);
	arena_free(&mem);
}

static void values_of_all_kinds(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct arena mem = test_arena();
	struct keys_words words = words_of(
		&keys, "share=7.25,flag,count=9,text=f<a,b>(c),colour=green,other,other=x=y", &mem,
		&diag);
	struct keys_value value;

	(void)state;
	assert_int_equal(keys_next(&words, &value), SHARE);
	assert_true(value.share == 7.25 && value.given);
	assert_int_equal(keys_next(&words, &value), FLAG);
	assert_null(value.text);
	assert_int_equal(keys_next(&words, &value), COUNT);
	assert_int_equal(value.count, 9);
	assert_int_equal(keys_next(&words, &value), TEXT);
	assert_string_equal(value.text, "f<a,b>(c)");
	assert_int_equal(keys_next(&words, &value), CHOICE);
	assert_int_equal(value.count, 1);
	assert_int_equal(keys_next(&words, &value), OTHER);
	assert_null(value.text);
	assert_int_equal(keys_next(&words, &value), OTHER);
	assert_string_equal(value.text, "x=y");
	assert_int_equal(keys_next(&words, &value), KEYS_END);
	assert_int_equal(keys_next(&words, &value), KEYS_END);
	arena_free(&mem);
}

static void wrong_values(void **state)
{
	static const char *const counts[] = { "",   "1",  "10",  "-3",
					      "3x", "+3", "3.0", "18446744073709551619" };
	static const char *const shares[] = { "", "0.4", "99.6", "1e1", "nan", "-1", "." };
	char text[64], said[128];

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		snprintf(text, sizeof(text), "count=%s", counts[i]);
		snprintf(said, sizeof(said),
			 "--option: count must be a whole number from 2 to 9, not '%s'", counts[i]);
		expect_wrong(&keys, text, said);
	}
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		snprintf(text, sizeof(text), "share=%s", shares[i]);
		snprintf(said, sizeof(said),
			 "--option: share must be a percentage from 0.5 to 99.5, not '%s'",
			 shares[i]);
		expect_wrong(&keys, text, said);
	}
	expect_wrong(&keys, "flag=1", "--option: flag takes no value");
	expect_wrong(&keys, "text", "--option: text must be a word, not ''");
	expect_wrong(&keys, "text=", "--option: text must be a word, not ''");
	expect_wrong(&keys, "colour=blue", "--option: colour must be red or green, not 'blue'");
}

static void unknown_keys(void **state)
{
	(void)state;
	expect_wrong(&keys, "colur=red", "--option has no key 'colur'; did you mean 'colour'?");
	expect_wrong(&keys, "?,flag",
		     "--option has no key '?'; it knows these keys: flag, count, share=PERCENT, "
		     "text, colour and other");
	expect_wrong(&keys, "",
		     "--option has no key ''; it knows these keys: flag, count, "
		     "share=PERCENT, text, colour and other");
	expect_wrong(&more_keys, "text=a", "--more has no key 'text'; it knows these keys: flag");
	expect_wrong(&no_keys, "flag", "--mo takes no key: 'flag'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_all_kinds),
		cmocka_unit_test(wrong_values),
		cmocka_unit_test(unknown_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
