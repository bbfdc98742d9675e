/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that are like a word, as a question; tests/unit/analysis_spec.c has which names are. */
#include "testing.h"

#include "base/nearest.h"

/* What is asked when the names are offered, NULL behind the last. */
static void expect_question(const char *word, const char *before, const char *const *names,
			    const char *question)
{
	struct arena mem = test_arena();
	struct nearest_search search = nearest_begin(word, &mem);

	for (; *names; names++)
		nearest_offer(&search, *names);
	assert_string_equal(nearest_question(&search.found, before, &mem), question);
	arena_free(&mem);
}

static void questions(void **state)
{
	static const char *const none[] = { "other", "", NULL };
	static const char *const one[] = { "other", "brief", NULL };
	static const char *const two[] = { "grief", "brie", NULL };
	static const char *const four[] = { "brieXY", "bref", "grief", "chief", "brif", NULL };

	(void)state;
	expect_question("breif", "", none, "");
	expect_question("breif", "--", one, "; did you mean '--brief'?");
	expect_question("brief", "", two, "; did you mean 'grief' or 'brie'?");
	expect_question("brief", "-", four, "; did you mean '-bref', '-grief' or '-brif'?");
}

static void no_question_about_a_name(void **state)
{
	static const char *const same[] = { "grief", "brief", "brie", NULL };

	(void)state;
	expect_question("brief", "", same, "");
}

static void beginnings(void **state)
{
	static const char *const names[] = {
		"flat-profile", "fl", "no-flat", "graph", "flask", NULL
	};
	struct arena mem = test_arena();
	struct nearest_search search = nearest_begin("flot", &mem);

	(void)state;
	for (const char *const *name = names; *name; name++)
		nearest_offer_start(&search, *name);
	assert_string_equal(nearest_question(&search.found, "--", &mem),
			    "; did you mean '--flat-profile'?");
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(questions),
		cmocka_unit_test(no_question_about_a_name),
		cmocka_unit_test(beginnings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
