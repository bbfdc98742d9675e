/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many columns text takes, and that what is shortened has no more, keeps its ends and has a
 * mark. */
#include "testing.h"

#include "base/display_width.h"
#include "tests/tools/prng.h"

static void columns_of_text(void **state)
{
	static const struct {
		const char *text;
		const char *shown;
		uint32_t columns;
	} cases[] = {
		{ "", "", 0 },
		{ "main", "main", 4 },
		{ "\303\244\303\266", "\303\244\303\266", 2 },
		{ "e\314\201t\303\251", "e\314\201t\303\251", 3 },             /* combining */
		{ "\346\227\245\346\234\254", "\346\227\245\346\234\254", 4 }, /* wide */
		{ "\360\237\230\200", "\360\237\230\200", 2 },
		{ "\033[1m", "\\033[1m", 7 },
		{ "a\nb\tc", "a\\012b\\011c", 11 },
		{ "\302\233", "\\302\\233", 8 },
		{ "\377\376", "\377\376", 2 }, /* no UTF-8 */
	};
	struct arena mem = test_arena();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct shown shown = display_width_show(cases[i].text, &mem);

		assert_string_equal(shown.text, cases[i].shown);
		assert_int_equal(shown.columns, cases[i].columns);
	}
	arena_free(&mem);
}

static void ends_and_middles(void **state)
{
	struct arena mem = test_arena();

	(void)state;
	assert_string_equal(display_width_cut_end("abcdefghij", 10, &mem).text, "abcdefghij");
	assert_string_equal(display_width_cut_end("abcdefghij", 9, &mem).text, "abcdef...");
	assert_string_equal(display_width_cut_end("abcdefghij", 3, &mem).text, "...");
	assert_string_equal(display_width_cut_middle("abcdefghij", 8, &mem).text, "abc...ij");
	assert_string_equal(display_width_cut_middle("abcdefghij", 7, &mem).text, "ab...ij");
	assert_string_equal(display_width_cut_middle("abcdefghij", 3, &mem).text, "...");
	/* A wide character is there or not. */
	assert_string_equal(display_width_cut_end("\346\227\245\346\234\254x", 4, &mem).text,
			    "...");
	assert_string_equal(display_width_cut_middle(
				    "\346\227\245\346\227\245\346\227\245\346\234\254", 7, &mem)
				    .text,
			    "\346\227\245...\346\234\254");
	/* What combines stays with its character. */
	assert_string_equal(display_width_cut_middle("ae\314\201bcdefghy\314\201", 6, &mem).text,
			    "ae\314\201...y\314\201");
	arena_free(&mem);
}

static void names(void **state)
{
	static const struct {
		const char *name;
		uint32_t columns;
		const char *shown;
	} cases[] = {
		{ "f(int)", 6, "f(int)" },
		{ "ns::Map<std::string, int>::find(int)", 36,
		  "ns::Map<std::string, int>::find(int)" },
		{ "ns::Map<std::string, int>::find(int)", 33, "ns::Map<std::..., int>::find(int)" },
		{ "ns::Map<std::string, int>::find(int)", 23, "ns::Map<...>::find(int)" },
		{ "ns::Map<std::string, int>::find(long, long)", 27,
		  "ns::Map<...>::find(lo...ng)" },
		{ "ns::Map<std::string, int>::find(long, long)", 23, "ns::Map<...>::find(...)" },
		{ "ns::Map<std::string, int>::find(long, long)", 15, "...>::find(...)" },
		{ "ns::Map<std::string, int>::find(int) (inlined)", 33,
		  "ns::Map<...>::find(int) (inlined)" },
		/* The longest goes first. */
		{ "A<one>::B<eleven, twelve, thirteen>::c()", 20, "A<one>::B<e...>::c()" },
		{ "A<eleven, twelve, thirteen>::B<one>::c()", 20, "A<e...>::B<one>::c()" },
		/* Operators and namespaces have brackets that are none. */
		{ "X<aaaaaaaaaaaa>::operator<<(int)", 23, "X<...>::operator<<(int)" },
		{ "X<aaaaaaaaaaaa>::operator->()", 20, "X<...>::operator->()" },
		{ "X<aaaaaaaaaaaa>::operator()(int)", 23, "X<...>::operator()(int)" },
		{ "(anonymous namespace)::f<aaaaaaaaaaaaaaaa>()", 31,
		  "(anonymous namespace)::f<...>()" },
		{ "a_name_without_any_brackets", 15, "a_name...ackets" },
		{ "<<<<<<<<<<<<<<<<<<<<<<<<<<<<<", 10, "<<<<...<<<" },
		{ ">>>>>>>>>>>>>>>>>>>>)))))))))", 10, ">>>>...)))" },
	};
	struct arena mem = test_arena();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct shown shown = display_width_cut_name(cases[i].name, cases[i].columns, &mem);

		assert_true(shown.columns <= cases[i].columns);
		assert_string_equal(shown.text, cases[i].shown);
	}
	arena_free(&mem);
}

/* Of any bytes: never too wide, and what was cut says so. */
static void any_bytes(void **state)
{
	static const char alphabet[] = "abc<>()[]{}:, \303\244\346\227\245\314\201\033\377";
	struct arena mem = test_arena();
	struct prng rng = { 7 };

	(void)state;
	for (int round = 0; round < 3000; round++) {
		char text[200];
		size_t n = prng_below(&rng, sizeof(text) - 1);
		uint32_t columns = 3 + (uint32_t)prng_below(&rng, 60);
		struct shown whole, cut;

		for (size_t i = 0; i < n; i++)
			text[i] = alphabet[prng_below(&rng, sizeof(alphabet) - 1)];
		text[n] = '\0';
		whole = display_width_show(text, &mem);
		cut = display_width_cut_name(text, columns, &mem);
		assert_true(cut.columns <= columns);
		assert_int_equal(display_width_show(cut.text, &mem).columns, cut.columns);
		if (whole.columns > columns)
			assert_non_null(strstr(cut.text, DISPLAY_WIDTH_GAP));
		else
			assert_string_equal(cut.text, whole.text);
	}
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_of_text),
		cmocka_unit_test(ends_and_middles),
		cmocka_unit_test(names),
		cmocka_unit_test(any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
