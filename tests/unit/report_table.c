/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which reports are written, what they need, and for whom locations are looked up. */
#include "testing.h"

#include "handmade.h"
#include "model/needs.h"

enum { FLAT = REPORT_FLAT, GRAPH = REPORT_GRAPH, INFO = REPORT_INFO, COUNTS = REPORT_COUNTS };

static void defaults_fill_an_empty_wish(void **state)
{
	static const struct {
		unsigned wanted, mentioned;
		bool hists, arcs;
		unsigned expected;
	} cases[] = {
		{ 0, 0, true, true, FLAT | GRAPH },
		{ 0, 0, true, false, FLAT },
		{ 0, 0, false, true, GRAPH },
		{ 0, 0, false, false, COUNTS },
		{ 0, COUNTS, false, false, 0 },
		{ 0, COUNTS, true, true, FLAT | GRAPH },
		{ 0, FLAT, true, true, GRAPH },
		{ 0, GRAPH, true, true, FLAT },
		{ 0, FLAT | GRAPH, true, true, 0 },
		{ 0, FLAT, true, false, 0 },
		{ FLAT, FLAT, true, true, FLAT },
		{ FLAT, FLAT | GRAPH, true, true, FLAT },
		{ INFO, INFO, true, true, INFO },
		{ GRAPH, GRAPH, false, false, GRAPH },
		{ FLAT | GRAPH, FLAT | GRAPH, false, true, FLAT | GRAPH },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct report_options opt = { .wanted = cases[i].wanted,
						    .mentioned = cases[i].mentioned };
		const struct profile prof = { .has_hists = cases[i].hists,
					      .has_arcs = cases[i].arcs };

		assert_int_equal(report_choose(&opt, &prof), cases[i].expected);
	}
}

static void reports_stand_in_their_order(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;
	char *text, *flat, *graph, *index;

	(void)state;
	handmade_init(&h, 2, 0, &mem);
	text = handmade_reports(&h, INFO | FLAT | GRAPH, NULL, &mem);
	flat = strstr(text, "\f\nFlat profile:\n");
	graph = strstr(text, "\f\n\t\t\tCall graph\n");
	index = strstr(text, "\f\nIndex by function name\n");
	assert_int_equal(strncmp(text, "File `FILE' (version 0) contains:\n", 34), 0);
	assert_true(flat && graph && index && flat < graph && graph < index);
	assert_string_equal(handmade_reports(&h, 0, NULL, &mem), "");
	h.outer[0] = 1;
	text = handmade_reports(&h, GRAPH | COUNTS, NULL, &mem);
	assert_non_null(
		strstr(strstr(text, "Index by"), "\f\n<unknown>:0: (a:0x1000) 1 executions\n"));
	text = handmade_reports(&h, FLAT, NULL, &mem);
	assert_int_equal(strncmp(text, "Flat profile:\n", 14), 0);
	assert_null(strchr(text, '\f'));
	text = handmade_reports(&h, GRAPH, NULL, &mem);
	assert_int_equal(strncmp(text, "\t\t\tCall graph\n", 14), 0);
	arena_free(&mem);
}

static void missing_data_is_a_failure(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;

	(void)state;
	handmade_init(&h, 2, 0, &mem);
	h.profile.has_hists = false;
	h.profile.hists.n = 0;
	assert_string_equal(handmade_reports(&h, FLAT, "FILE: missing histogram", &mem), "");
	assert_string_equal(handmade_reports(&h, FLAT | GRAPH, "missing histogram", &mem), "");
	handmade_reports(&h, GRAPH, NULL, &mem);
	h.profile.has_arcs = false;
	assert_string_equal(handmade_reports(&h, GRAPH, "FILE: missing call-graph data", &mem), "");
	assert_string_equal(handmade_reports(&h, FLAT | GRAPH, "missing histogram", &mem), "");
	assert_non_null(strstr(handmade_reports(&h, INFO, NULL, &mem), "File `FILE'"));
	assert_non_null(
		strstr(handmade_reports(&h, INFO | FLAT, "missing histogram", &mem), "File `"));
	h.profile.has_hists = true;
	assert_string_equal(handmade_reports(&h, FLAT | GRAPH, "missing call-graph data", &mem),
			    "");
	handmade_reports(&h, FLAT, NULL, &mem);
	arena_free(&mem);
}

/* Whatever a report says that it needs is asked for: by the table, not by the names of reports. */
static void each_need_is_checked(void **state)
{
	static const unsigned bits[] = { INFO,          FLAT,         GRAPH,     COUNTS,
					 REPORT_SOURCE, REPORT_ORDER, REPORT_SUM };
	struct arena mem = test_arena();
	struct handmade h;

	(void)state;
	handmade_init(&h, 2, 0, &mem);
	assert_int_equal(report_needs(FLAT), NEEDS_SAMPLES);
	assert_int_equal(report_needs(GRAPH), NEEDS_CALLS);
	assert_int_equal(report_needs(FLAT | GRAPH | REPORT_SUM), NEEDS_SAMPLES | NEEDS_CALLS);
	assert_int_equal(report_needs(0), 0);
	for (size_t i = 0; i < COUNT(bits); i++) {
		for (unsigned has = 0; has < 4; has++) {
			struct messages log = { 0 };
			struct diag diag = test_diag(&log);
			unsigned had = (has & 1 ? NEEDS_SAMPLES : 0) | (has & 2 ? NEEDS_CALLS : 0);
			unsigned lacks =
				report_needs(bits[i]) & (NEEDS_SAMPLES | NEEDS_CALLS) & ~had;

			h.profile.has_hists = has & 1;
			h.profile.has_arcs = has & 2;
			assert_int_equal(report_check(bits[i], &h.profile, &diag), lacks ? -1 : 0);
			assert_int_equal(log.n, lacks ? 1 : 0);
		}
	}
	arena_free(&mem);
}

static void expect_locations(struct handmade *h, unsigned wanted, const char *expected,
			     struct arena *mem)
{
	struct bitset set;
	char got[MADE_SYMS + 1] = "", *to = got;

	set = report_locations(wanted, &h->a, &h->opt, mem);
	for (sym_id s = 0; s < h->a.graph.nnodes; s++) {
		if (bitset_has(set, s))
			*to++ = (char)('a' + (int)s);
	}
	assert_string_equal(got, expected);
}

/* The index shows the files of static functions that it lists; with file names on, all need one. */
static void locations_of_what_is_shown(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;

	(void)state;
	handmade_init(&h, 4, 0, &mem);
	h.outer[0] = h.outer[1] = 1;
	h.sym[1].flags |= SYM_STATIC;
	h.sym[2].flags |= SYM_STATIC;
	expect_locations(&h, 0, "", &mem);
	expect_locations(&h, INFO, "", &mem);
	expect_locations(&h, FLAT, "", &mem);
	expect_locations(&h, COUNTS, "abcd", &mem);
	expect_locations(&h, GRAPH, "b", &mem);
	h.opt.zeros = true;
	expect_locations(&h, GRAPH, "bc", &mem);
	h.opt.inline_files = true;
	expect_locations(&h, FLAT, "abcd", &mem);
	expect_locations(&h, GRAPH, "abcd", &mem);
	expect_locations(&h, INFO, "", &mem);
	arena_free(&mem);
}

/* The call graph before the flat profile; only the first one begins without a new page. */
static void traditional_order(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;
	char *text, *flat, *graph, *index, *counts;

	(void)state;
	handmade_init(&h, 2, 0, &mem);
	h.opt.traditional = true;
	h.outer[0] = 1;
	text = handmade_reports(&h, INFO | FLAT | GRAPH | COUNTS, NULL, &mem);
	graph = strstr(text, "\f\n\ngranularity:");
	flat = graph ? strstr(graph + 1, "\f\n\ngranularity:") : NULL;
	index = strstr(text, "\f\nIndex by function name\n");
	counts = strstr(text, "\f\n<unknown>:0: (a:0x1000) 1 executions\n");
	assert_int_equal(strncmp(text, "File `FILE'", 11), 0);
	assert_true(graph && flat && index && counts);
	assert_true(graph < flat && flat < index && index < counts);
	assert_null(strstr(text, "Call graph"));
	assert_null(strstr(text, "Flat profile"));
	assert_true(strstr(graph, "descendants") < flat);
	assert_true(strstr(text, "cumulative") > flat);
	text = handmade_reports(&h, FLAT | GRAPH, NULL, &mem);
	assert_int_equal(strncmp(text, "\ngranularity:", 13), 0);
	assert_non_null(strstr(text, "\nindex  %time    self descendants"));
	text = handmade_reports(&h, FLAT, NULL, &mem);
	assert_null(strchr(text, '\f'));
	h.profile.has_hists = false;
	h.profile.hists.n = 0;
	assert_string_equal(handmade_reports(&h, FLAT | GRAPH, "missing histogram", &mem), "");
	arena_free(&mem);
}

/* Cells of fixed width with linker names, their blanks kept, whatever the width of the line. */
static void traditional_index(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;
	char *text;

	(void)state;
	handmade_init(&h, 4, 1, &mem);
	h.opt.traditional = true;
	h.opt.width = 10;
	h.opt.demangle = DEMANGLE_AUTO;
	h.sym[1].name = "_Z3fooid";
	h.sym[2].name = "c_has_twenty_letters";
	h.sym[2].flags |= SYM_STATIC;
	h.location[2] = (struct location){ "x.c", 1 };
	for (sym_id s = 0; s < 4; s++)
		h.outer[s] = 1;
	bitset_remove(h.a.costs.graph.shown, 3);
	text = strstr(handmade_reports(&h, GRAPH, NULL, &mem), "\f\nIndex");
	assert_string_equal(
		text, "\f\nIndex by function name\n\n"
		      "   [5] _Z3fooid              [3] c_has_twenty_letter   [1] <cycle 1>    "
		      "      \n"
		      "   [2] a                     (4) d                  \n");
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_fill_an_empty_wish),
		cmocka_unit_test(reports_stand_in_their_order),
		cmocka_unit_test(missing_data_is_a_failure),
		cmocka_unit_test(each_need_is_checked),
		cmocka_unit_test(locations_of_what_is_shown),
		cmocka_unit_test(traditional_order),
		cmocka_unit_test(traditional_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
