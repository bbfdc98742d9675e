/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flat profile of analyses made by hand: units, rows, sums. */
#include "testing.h"

#include "handmade.h"

static char *flat_profile(struct handmade *h, struct arena *mem)
{
	return handmade_reports(h, REPORT_FLAT, NULL, mem);
}

/* The unit of the columns per call when the longest call takes `ticks` at `rate`. */
static void expect_unit(double ticks, uint32_t rate, char prefix)
{
	struct arena mem = test_arena();
	char expected[] = { ' ', prefix, 's', '/', 'c', 'a', 'l', 'l', ' ', '\0' };
	struct handmade h;
	char *text;

	handmade_init(&h, 3, 0, &mem);
	h.profile.unit.rate = rate;
	h.outer[0] = h.outer[1] = 2;
	h.ticks[0] = ticks;
	h.inherited[0] = ticks;
	h.ticks[1] = ticks / 8;
	h.ticks[2] = ticks * 1e6;
	h.a.costs.total = ticks;
	text = flat_profile(&h, &mem);
	if (!strstr(text, expected))
		fail_msg("%g ticks of 1/%u s do not give '%s'", ticks, rate, expected);
	arena_free(&mem);
}

static void units_fit_the_longest_call(void **state)
{
	static const struct {
		double ticks;
		uint32_t rate;
		char prefix;
	} cases[] = {
		{ 1, 1, ' ' },
		{ 999, 1, ' ' },
		{ 1000, 1, 'K' },
		{ 1e6, 1, 'M' },
		{ 999999, 1, 'K' },
		{ 1e9, 1, 'G' },
		{ 1e12, 1, 'T' },
		{ 1e14, 1, 'T' },
		{ 0.5, 1, 'm' },
		{ 1, 1000, 'm' },
		{ 1, 1001, 'u' },
		{ 1, 1000000, 'u' },
		{ 1e-3, 4000000000, 'f' },
		{ 3e-8, 1, 'n' },
		{ 3e-11, 1, 'p' },
		{ 3e-14, 1, 'f' },
		{ 3e-17, 1, 'a' },
		{ 50, 100, 'm' },
		{ 100, 100, ' ' },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		expect_unit(cases[i].ticks, cases[i].rate, cases[i].prefix);
}

static void units_end_at_both_ends(void **state)
{
	(void)state;
	expect_unit(1e15, 1, 'T');
	expect_unit(1e18, 1, 'T');
	expect_unit(1e-19, 1, 'a');
	expect_unit(1e-30, 1, 'a');
}

static void no_calls_or_no_time_give_the_largest_unit(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;

	(void)state;
	expect_unit(0, 1, 'T');
	handmade_init(&h, 1, 0, &mem);
	h.ticks[0] = h.a.costs.total = 1;
	assert_non_null(strstr(flat_profile(&h, &mem), " Ts/call "));
	arena_free(&mem);
}

/* The layout to the byte. */
static void rows_and_columns(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;

	(void)state;
	handmade_init(&h, 5, 0, &mem);
	h.sym[0].name = "alpha";
	h.sym[1].name = "beta";
	h.sym[2].name = "delta";
	h.sym[3].name = "gamma";
	h.sym[4].name = "unused";
	h.ticks[0] = 30;
	h.inherited[0] = 25;
	h.outer[0] = 3;
	h.ticks[1] = 20;
	h.outer[1] = 10;
	h.own[1] = 4;
	h.ticks[2] = 5;
	h.outer[3] = 7;
	h.a.costs.total = 55;
	assert_string_equal(flat_profile(&h, &mem),
			    "Flat profile:\n"
			    "\n"
			    "Each sample counts as 0.01 seconds.\n"
			    "  %   cumulative   self              self     total           \n"
			    " time   seconds   seconds    calls  ms/call  ms/call  name    \n"
			    " 54.55      0.30     0.30        3   100.00   183.33  alpha\n"
			    " 36.36      0.50     0.20       10    20.00    20.00  beta\n"
			    "  9.09      0.55     0.05                             delta\n"
			    "  0.00      0.55     0.00        7     0.00     0.00  gamma\n");
	arena_free(&mem);
}

/* The names at the line ends behind the headings, joined. */
static void expect_rows(struct handmade *h, const char *expected, struct arena *mem)
{
	char got[100] = "", *text = flat_profile(h, mem);
	size_t n = 0;

	text = strstr(text, "name    \n") + 9;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%s ", strrchr(line, ' ') + 1);
	assert_string_equal(got, expected);
}

static void rows_by_time_calls_and_name(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;

	(void)state;
	handmade_init(&h, 8, 0, &mem);
	h.sym[6].name = "B";
	h.sym[7].name = "_b";
	h.ticks[4] = 2;
	h.ticks[2] = 1;
	h.ticks[3] = 1;
	h.outer[3] = 5;
	h.outer[0] = h.outer[1] = h.outer[6] = h.outer[7] = 3;
	h.outer[5] = 4;
	expect_rows(&h, "e d c f B _b a b ", &mem);
	/* Calls by itself and time of callees do not make a row. */
	handmade_init(&h, 4, 0, &mem);
	h.own[1] = 5;
	h.inherited[2] = 5;
	h.outer[3] = 1;
	expect_rows(&h, "d ", &mem);
	h.opt.zeros = true;
	expect_rows(&h, "d a b c ", &mem);
	bitset_remove(h.a.selection.flat, 0);
	bitset_remove(h.a.selection.flat, 3);
	expect_rows(&h, "b c ", &mem);
	arena_free(&mem);
}

static void no_time(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;
	char *text;

	(void)state;
	handmade_init(&h, 2, 0, &mem);
	h.outer[0] = 2;
	text = flat_profile(&h, &mem);
	assert_non_null(strstr(text, "0.01 seconds.\n no time accumulated\n\n  %   cumulative"));
	assert_non_null(
		strstr(text, "\n  0.00      0.00     0.00        2     0.00     0.00  a\n"));
	arena_free(&mem);
}

static void ticks_without_a_rate(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;
	char *text;

	(void)state;
	handmade_init(&h, 1, 0, &mem);
	h.profile.unit.rate = 0;
	h.outer[0] = 2;
	h.ticks[0] = h.a.costs.total = 8;
	text = flat_profile(&h, &mem);
	assert_non_null(strstr(text, "Each sample counts as 1 ticks.\n"));
	assert_non_null(strstr(text, "     ticks     ticks    calls   t/call   t/call  name"));
	assert_non_null(
		strstr(text, "\n100.00      8.00     8.00        2     4.00     4.00  a\n"));
	arena_free(&mem);
}

static void explanation_unless_brief(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;
	char *brief, *whole;

	(void)state;
	handmade_init(&h, 1, 0, &mem);
	brief = flat_profile(&h, &mem);
	h.opt.brief = false;
	whole = flat_profile(&h, &mem);
	assert_int_equal(strncmp(whole, brief, strlen(brief)), 0);
	assert_int_equal(whole[strlen(brief)], '\n');
	assert_non_null(strstr(whole + strlen(brief), "cumulative"));
	arena_free(&mem);
}

/* One decimal of percent, one column more of time, names as in the call graph, always ms. */
static void traditional_layout(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;

	(void)state;
	handmade_init(&h, 4, 1, &mem);
	h.opt.traditional = true;
	h.opt.demangle = DEMANGLE_AUTO;
	h.opt.inline_files = true;
	h.location[0] = (struct location){ "dir/x.c", 3 };
	h.sym[1].name = "_Z3fooid";
	h.ticks[0] = 30000;
	h.inherited[0] = 25000;
	h.outer[0] = 3;
	h.ticks[1] = 20000;
	h.outer[3] = 7;
	h.of_node[1] = 1;
	h.a.costs.total = 55000;
	bitset_remove(h.a.costs.graph.shown, 3);
	assert_string_equal(
		flat_profile(&h, &mem),
		"\ngranularity: each sample hit covers 4 byte(s) for 0.00% of 550.00 seconds\n"
		"\n"
		"  %   cumulative   self              self     total           \n"
		" time   seconds   seconds    calls  ms/call  ms/call  name    \n"
		" 54.5     300.00   300.00        3 100000.00 183333.33  a (x.c:3) [3]\n"
		" 36.4     500.00   200.00                             _Z3fooid <cycle 1> [5]\n"
		"  0.0     500.00     0.00        7     0.00     0.00  d (2)\n");
	h.a.costs.total = 0;
	assert_non_null(strstr(
		flat_profile(&h, &mem),
		"\ngranularity: each sample hit covers 4 byte(s) no time accumulated\n\n  %   cumulative"));
	h.profile.has_arcs = false;
	assert_non_null(strstr(flat_profile(&h, &mem), "  a (x.c:3)\n"));
	arena_free(&mem);
}

/* In the traditional layout it comes first. */
static void traditional_explanation(void **state)
{
	static const char start[] = "\n\n\nflat profile:\n";
	struct arena mem = test_arena();
	struct handmade h;
	char *brief, *whole;

	(void)state;
	handmade_init(&h, 1, 0, &mem);
	h.opt.traditional = true;
	brief = flat_profile(&h, &mem);
	h.opt.brief = false;
	whole = flat_profile(&h, &mem);
	assert_int_equal(strncmp(whole, start, strlen(start)), 0);
	assert_string_equal(whole + strlen(whole) - strlen(brief), brief);
	assert_non_null(strstr(whole, "self/call"));
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_fit_the_longest_call),
		cmocka_unit_test(units_end_at_both_ends),
		cmocka_unit_test(no_calls_or_no_time_give_the_largest_unit),
		cmocka_unit_test(rows_and_columns),
		cmocka_unit_test(rows_by_time_calls_and_name),
		cmocka_unit_test(no_time),
		cmocka_unit_test(ticks_without_a_rate),
		cmocka_unit_test(explanation_unless_brief),
		cmocka_unit_test(traditional_layout),
		cmocka_unit_test(traditional_explanation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
