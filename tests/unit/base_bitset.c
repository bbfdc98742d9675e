/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bitsets against arrays of bool. */
#include "testing.h"

#include "base/bitset.h"

static void new_set_is_empty(void **state)
{
	struct arena mem = test_arena();
	struct bitset set = bitset_empty(&mem, 1000);

	(void)state;
	for (size_t id = 0; id < 1000; id++)
		assert_false(bitset_has(set, id));
	assert_non_null(bitset_empty(&mem, 0).bits);
	arena_free(&mem);
}

static void one_id_is_one_bit(void **state)
{
	struct arena mem = test_arena();

	(void)state;
	for (size_t one = 0; one < 70; one++) {
		struct bitset set = bitset_empty(&mem, 70);

		bitset_add(set, one);
		bitset_add(set, one);
		for (size_t id = 0; id < 70; id++)
			assert_int_equal(bitset_has(set, id), id == one);
		bitset_remove(set, one);
		bitset_remove(set, one);
		assert_false(bitset_has(set, one));
	}
	arena_free(&mem);
}

static void sets_act_like_arrays_of_bool(void **state)
{
	static const uint32_t sizes[] = { 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 1000 };
	uint64_t seed = 1;

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct arena mem = test_arena();
		struct bitset set = bitset_empty(&mem, sizes[i]);
		bool *slow = arena_array(&mem, bool, sizes[i]);

		for (int step = 0; step < 3000; step++) {
			uint32_t id = random_below(&seed, sizes[i]);

			slow[id] = random_below(&seed, 2);
			if (slow[id])
				bitset_add(set, id);
			else
				bitset_remove(set, id);
			id = random_below(&seed, sizes[i]);
			assert_int_equal(bitset_has(set, id), slow[id]);
		}
		for (uint32_t id = 0; id < sizes[i]; id++)
			assert_int_equal(bitset_has(set, id), slow[id]);
		arena_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_set_is_empty),
		cmocka_unit_test(one_id_is_one_bit),
		cmocka_unit_test(sets_act_like_arrays_of_bool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
