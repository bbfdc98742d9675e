/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Foreign names in JSON, XML and plain lines; whole numbers that add up. */
#include "testing.h"

#include "base/quote.h"
#include "base/rounding.h"

/* What a writer makes of a text. */
#define expect_written(call, expected)                                 \
	do {                                                           \
		struct messages log = { 0 };                           \
		struct diag diag = test_diag(&log);                    \
		struct arena mem = test_arena();                       \
		struct output out;                                     \
		int fd = memory_file();                                \
		output_open(&out, fd, "out", &diag);                   \
		call;                                                  \
		assert_int_equal(output_close(&out), 0);               \
		assert_string_equal(written_text(fd, &mem), expected); \
		arena_free(&mem);                                      \
	} while (0)

static void json(void **state)
{
	(void)state;
	expect_written(quote_json(&out, ""), "\"\"");
	expect_written(quote_json(&out, "std::map<int, char>::at"),
		       "\"std::map\\u003cint, char\\u003e::at\"");
	expect_written(quote_json(&out, "a\"b\\c&d"), "\"a\\\"b\\\\c\\u0026d\"");
	expect_written(quote_json(&out, "\n\t\x01\x7f"), "\"\\u000a\\u0009\\u0001\\u007f\"");
	expect_written(quote_json(&out, "na\xc3\xafve \xf0\x9f\x98\x80"),
		       "\"na\xc3\xafve \xf0\x9f\x98\x80\"");
}

/* Cut short, overlong, a surrogate, beyond the last character, no character at all. */
static void what_is_no_character(void **state)
{
	(void)state;
	expect_written(quote_json(&out, "\xff"
					"a\xc3"),
		       "\"\xef\xbf\xbd"
		       "a\xef\xbf\xbd\"");
	expect_written(quote_plain(&out, "\xc0\xaf", "", '_'), "\xef\xbf\xbd\xef\xbf\xbd");
	expect_written(quote_plain(&out, "\xed\xa0\x80", "", '_'),
		       "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	expect_written(quote_plain(&out, "\xf4\x90\x80\x80", "", '_'),
		       "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	expect_written(quote_plain(&out, "\xef\xbf\xbf", "", '_'),
		       "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	expect_written(quote_plain(&out, "\xe2\x82", "", '_'), "\xef\xbf\xbd\xef\xbf\xbd");
	expect_written(quote_plain(&out, "\xc2\x9b", "", '_'), "\xef\xbf\xbd\xef\xbf\xbd");
	expect_written(quote_plain(&out, "\xf4\x8f\xbf\xbd", "", '_'), "\xf4\x8f\xbf\xbd");
}

static void xml(void **state)
{
	(void)state;
	expect_written(quote_xml(&out, "<script>&\"'"), "&#60;script&#62;&#38;&#34;&#39;");
	expect_written(quote_xml(&out, "a\nb\tc\x01"), "a&#10;b&#9;c\xef\xbf\xbd");
}

static void plain(void **state)
{
	(void)state;
	expect_written(quote_plain(&out, "a;b c;\nd", ";", ':'), "a:b c::d");
	expect_written(quote_plain(&out, ";", "", '_'), ";");
}

static void copies(void **state)
{
	struct arena mem = test_arena();
	static const char good[] = "gr\xc3\xb6\xc3\x9f, \"a\\b\"";

	(void)state;
	assert_ptr_equal(quote_copy(good, '?', &mem), good);
	assert_string_equal(quote_copy("\n\x7f a\xff", '?', &mem), "?? a\xef\xbf\xbd");
	assert_string_equal(quote_copy("\xff\xc3\xb6\xed\xa0\x80", '?', &mem),
			    "\xef\xbf\xbd\xc3\xb6\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	arena_free(&mem);
}

static void parts_add_up(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < 100; round++) {
		struct rounding r = { .scale = round % 2 ? 1e7 : 0.37 };
		uint64_t given = 0;

		for (unsigned i = 0; i < 100; i++) {
			double x = (double)random_below(&seed, 1000) / 7;
			uint64_t part = rounding_next(&r, x);

			assert_true((double)part < x * r.scale + 1.001);
			assert_true((double)part > x * r.scale - 1.001);
			assert_int_equal(rounding_next(&r, 0), 0);
			given += part;
		}
		assert_true(given == r.given && given == rounding_nearest(r.sum, r.scale));
	}
}

static void parts_end_at_what_can_be_held(void **state)
{
	struct rounding r = { .scale = 1e7 };

	(void)state;
	assert_true(rounding_next(&r, 1e11) == (uint64_t)1e18);
	assert_true(rounding_next(&r, 1e19) == (uint64_t)INT64_MAX - (uint64_t)1e18);
	assert_int_equal(rounding_next(&r, 1e19), 0);
	assert_true(rounding_nearest(1e300, 1e300) == (uint64_t)INT64_MAX);
	assert_int_equal(rounding_nearest(0.0, 1e300), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json),
		cmocka_unit_test(what_is_no_character),
		cmocka_unit_test(xml),
		cmocka_unit_test(plain),
		cmocka_unit_test(copies),
		cmocka_unit_test(parts_add_up),
		cmocka_unit_test(parts_end_at_what_can_be_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
