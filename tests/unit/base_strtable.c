/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interned strings. */
#include "testing.h"

#include "base/strtable.h"

enum { NSTRINGS = 1000 };

static void equal_texts_share_one_copy(void **state)
{
	struct arena mem = test_arena();
	struct strtable table = { .mem = &mem };
	const char *copy[NSTRINGS];
	char text[16];

	(void)state;
	assert_null(strtable_add(&table, NULL));
	for (int i = 0; i < NSTRINGS; i++) {
		snprintf(text, sizeof(text), "%d", i);
		copy[i] = strtable_add(&table, text);
		assert_ptr_not_equal(copy[i], text);
	}
	for (int i = 0; i < NSTRINGS; i++) {
		snprintf(text, sizeof(text), "%d", i);
		assert_ptr_equal(strtable_add(&table, text), copy[i]);
		assert_string_equal(copy[i], text);
	}
	assert_int_equal(table.texts.n, NSTRINGS);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(equal_texts_share_one_copy) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
