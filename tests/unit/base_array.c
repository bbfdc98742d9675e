/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growable arrays: every element stays what it was made, however often the array moves. */
#include "testing.h"

#include "base/array.h"

static void empty_array_has_nothing(void **state)
{
	ARRAY(int) numbers = { 0 };

	(void)state;
	assert_int_equal(numbers.n, 0);
	assert_null(numbers.at);
}

static void pushed_elements_stay(void **state)
{
	struct arena mem = test_arena();
	ARRAY(uint64_t) numbers = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 100000; i++) {
		uint64_t *slot = &array_push(&mem, &numbers);

		assert_int_equal(*slot, 0);
		*slot = i * i + 1;
		assert_int_equal(numbers.n, i + 1);
		assert_true(numbers.max >= numbers.n);
		assert_ptr_equal(slot, &numbers.at[i]);
	}
	for (uint64_t i = 0; i < 100000; i++)
		assert_int_equal(numbers.at[i], i * i + 1);
	arena_free(&mem);
}

static void elements_may_be_structs_of_any_size(void **state)
{
	struct odd {
		char bytes[13];
	};
	struct arena mem = test_arena();
	ARRAY(struct odd) odds = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct odd *odd = &array_push(&mem, &odds);

		for (size_t k = 0; k < sizeof(odd->bytes); k++)
			assert_int_equal(odd->bytes[k], 0);
		memset(odd->bytes, i % 100 + 1, sizeof(odd->bytes));
	}
	for (int i = 0; i < 1000; i++) {
		for (size_t k = 0; k < sizeof(odds.at[i].bytes); k++)
			assert_int_equal(odds.at[i].bytes[k], i % 100 + 1);
	}
	arena_free(&mem);
}

static void growth_doubles(void **state)
{
	struct arena mem = test_arena();
	ARRAY(char) bytes = { 0 };
	int moves = 0;

	(void)state;
	for (int i = 0; i < 1 << 16; i++) {
		size_t max = bytes.max;

		array_push(&mem, &bytes) = 'x';
		moves += bytes.max != max;
		assert_true(bytes.max == max || bytes.max >= 2 * max);
	}
	assert_true(moves <= 17);
	arena_free(&mem);
}

static void arrays_in_one_arena_do_not_mix(void **state)
{
	struct arena mem = test_arena();
	ARRAY(int) a = { 0 }, b = { 0 };

	(void)state;
	for (int i = 0; i < 5000; i++) {
		array_push(&mem, &a) = i;
		array_push(&mem, &b) = -i;
	}
	for (int i = 0; i < 5000; i++) {
		assert_int_equal(a.at[i], i);
		assert_int_equal(b.at[i], -i);
	}
	arena_free(&mem);
}

static void copies_share_nothing(void **state)
{
	struct arena mem = test_arena();
	struct {
		ARRAY(int) a;
	} first = { { 0 } }, second;

	(void)state;
	for (int i = 0; i < 100; i++)
		array_push(&mem, &first.a) = i;
	second = first;
	array_unshare(&mem, &second.a);
	second.a.at[7] = -1;
	array_push(&mem, &second.a) = 100;
	assert_int_equal(first.a.at[7], 7);
	assert_int_equal(second.a.at[99], 99);
	assert_int_equal(second.a.at[100], 100);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_array_has_nothing),
		cmocka_unit_test(pushed_elements_stay),
		cmocka_unit_test(elements_may_be_structs_of_any_size),
		cmocka_unit_test(growth_doubles),
		cmocka_unit_test(arrays_in_one_arena_do_not_mix),
		cmocka_unit_test(copies_share_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
