/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that are cut have exactly the columns that there are, and a mark; others stay whole. */
#include "testing.h"

#include "base/fit.h"

/* What one of the two writes, at most 255 bytes. */
static const char *fitted(const char *text, uint32_t columns, bool terminal, bool name)
{
	static char got[256];
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output *out = arena_array(&mem, struct output, 1);

	output_open(out, -1, "nowhere", &diag);
	out->terminal = terminal;
	if (name)
		fit_name(out, text, strlen(text), columns);
	else
		fit_line(out, text, strlen(text), columns);
	assert_true(out->n < sizeof(got));
	memcpy(got, out->buffer, out->n);
	got[out->n] = '\0';
	arena_free(&mem);
	return got;
}

static void lines_lose_their_end(void **state)
{
	(void)state;
	assert_string_equal(fitted("0123456789", 10, true, false), "0123456789");
	assert_string_equal(fitted("0123456789a", 10, true, false), "0123456...");
	assert_string_equal(fitted("0123456789a", 2, true, false), "..");
	assert_string_equal(fitted("0123456789a", 0, true, false), "");
	assert_string_equal(fitted("", 0, true, false), "");
	assert_string_equal(fitted("0123456789a", FIT_ALL, true, false), "0123456789a");
}

static void names_lose_their_middle(void **state)
{
	(void)state;
	assert_string_equal(fitted("0123456789", 10, true, true), "0123456789");
	assert_string_equal(fitted("0123456789a", 10, true, true), "0123...89a");
	assert_string_equal(fitted("0123456789ab", 9, true, true), "012...9ab");
	assert_string_equal(fitted("0123456789ab", 3, true, true), "...");
}

static void tabs_go_to_the_eighth_column(void **state)
{
	(void)state;
	assert_string_equal(fitted("\ta", FIT_ALL, true, false), "        a");
	assert_string_equal(fitted("abc\ta", FIT_ALL, false, false), "abc     a");
	assert_string_equal(fitted("\t\ta", 12, true, false), "         ...");
}

/* Two columns each; what does not fit is not halved. */
static void wide_characters_count_twice(void **state)
{
	(void)state;
	assert_string_equal(fitted("\346\227\245\346\234\254", 4, true, false),
			    "\346\227\245\346\234\254");
	assert_string_equal(fitted("\346\227\245\346\234\254\346\234\254", 5, true, false),
			    "\346\227\245...");
	assert_string_equal(fitted("\346\227\245\346\234\254\346\234\254", 4, true, false), " ...");
	assert_string_equal(fitted("\303\244\303\244\303\244\303\244", 4, true, false),
			    "\303\244\303\244\303\244\303\244");
}

static void control_characters_are_shown_on_terminals(void **state)
{
	(void)state;
	assert_string_equal(fitted("a\033[m", 20, true, false), "a\\033[m");
	assert_string_equal(fitted("a\033[m", 6, true, false), "a  ...");
	assert_string_equal(fitted("a\033[m", 20, false, false), "a\033[m");
	assert_string_equal(fitted("\302\233", 20, true, true), "\\302\\233");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_lose_their_end),
		cmocka_unit_test(names_lose_their_middle),
		cmocka_unit_test(tabs_go_to_the_eighth_column),
		cmocka_unit_test(wide_characters_count_twice),
		cmocka_unit_test(control_characters_are_shown_on_terminals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
