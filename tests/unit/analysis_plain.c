/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names as gcc, clang and rustc made them, and what is left of them. */
#include "testing.h"

#include "analysis/diff/plain.h"

static void suffixes(void **state)
{
	static const char *const table[][2] = {
		{ "inflate", "inflate" },
		{ "inflate.constprop.0", "inflate" },
		{ "inflate.isra.0.cold", "inflate" },
		{ "inflate.part.12.constprop.3", "inflate" },
		{ "inflate.lto_priv.0", "inflate" },
		{ "inflate.llvm.1234567890123456789", "inflate" },
		{ "inflate.clone.2", "inflate" },
		{ "_ZN5Table4findEi.cold", "_ZN5Table4findEi" },
		{ "nested.0", "nested.0" },
		{ "nested.0.isra.0", "nested.0" },
		{ "main._omp_fn.0", "main._omp_fn.0" },
		{ "a.constprops.0", "a.constprops.0" },
		{ ".cold", ".cold" },
		{ "cold", "cold" },
		{ "x.0.0.cold", "x.0.0" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "_ZN4core3fmt5writeE" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE.llvm.77", "_ZN4core3fmt5writeE" },
		{ "_ZN4core3fmt5write17h0123456789abcdeXE",
		  "_ZN4core3fmt5write17h0123456789abcdeXE" },
		{ "", "" },
	};
	struct arena mem = test_arena();

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++)
		assert_string_equal(plain_name(table[i][0], &mem), table[i][1]);
	arena_free(&mem);
}

static void numbers(void **state)
{
	static const char *const table[][2] = {
		{ "main::{lambda(int)#3}::operator()(int) const",
		  "main::{lambda(int)#}::operator()(int) const" },
		{ "f({unnamed type#1}, {unnamed type#12})", "f({unnamed type#}, {unnamed type#})" },
		{ "f(int)", NULL },
		{ "operator#", NULL },
	};
	struct arena mem = test_arena();

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++) {
		const char *got = plain_numbers(table[i][0], &mem);

		if (table[i][1])
			assert_string_equal(got, table[i][1]);
		else
			assert_null(got);
	}
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(suffixes),
		cmocka_unit_test(numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
