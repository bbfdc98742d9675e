/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Radix sorts against comparing. */
#include "testing.h"

#include "base/radix.h"

enum { N = 3000 };

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void numbers(void **state)
{
	struct arena mem = test_arena();
	uint32_t seed = 1;

	(void)state;
	for (size_t n = 0; n <= N; n = n < 40 ? n + 1 : n * 3) {
		struct keyed *items = arena_array(&mem, struct keyed, n);
		uint64_t *keys = arena_array(&mem, uint64_t, n);

		for (uint32_t i = 0; i < n; i++) {
			keys[i] = (uint64_t)(next(&seed) % 97) << next(&seed) % 50;
			items[i] = (struct keyed){ keys[i], i };
		}
		radix_sort_keyed(items, n, &mem);
		radix_sort_numbers(keys, n, &mem);
		for (uint32_t i = 0; i < n; i++)
			assert_true(keys[i] == items[i].key);
		for (uint32_t i = 1; i < n; i++)
			assert_true(items[i - 1].key < items[i].key ||
				    (items[i - 1].key == items[i].key &&
				     items[i - 1].id < items[i].id));
	}
	arena_free(&mem);
}

static void columns(void **state)
{
	struct row {
		char other;
		uint64_t key;
	};
	const struct key_column keys = { NULL, sizeof(struct row), offsetof(struct row, key) };
	struct arena mem = test_arena();
	uint32_t seed = 3;

	(void)state;
	for (uint32_t n = 0; n <= N; n = n < 40 ? n + 1 : n * 3) {
		struct row *row = arena_array(&mem, struct row, n);
		struct keyed *items = arena_array(&mem, struct keyed, n);
		struct key_column all = keys;
		const struct keyed *order;

		all.first = row;
		for (uint32_t i = 0; i < n; i++)
			row[i].key = i / 3;
		assert_null(radix_order_by_key(all, n, &mem));
		for (uint32_t i = 0; i < n; i++) {
			row[i].key = next(&seed) % 97;
			items[i] = (struct keyed){ row[i].key, i };
		}
		order = radix_order_by_key(all, n, &mem);
		radix_sort_keyed(items, n, &mem);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(order ? order[i].id : i, items[i].id);
	}
	arena_free(&mem);
}

static void names(void **state)
{
	struct arena mem = test_arena();
	const char **name = arena_array(&mem, const char *, N);
	uint32_t *ids = arena_array(&mem, uint32_t, N);
	struct bitset same = bitset_empty(&mem, N);
	uint32_t seed = 2;

	(void)state;
	for (uint32_t i = 0; i < N; i++) {
		size_t len = next(&seed) % 40;
		char *s = arena_array(&mem, char, len + 1);

		for (size_t k = 0; k < len; k++)
			s[k] = (char)(next(&seed) % 11 ? 'a' : 0x7f + next(&seed) % 4);
		name[i] = s;
		ids[i] = i;
	}
	radix_sort_and_mark_names(ids, N, (struct name_column){ name, sizeof(*name) }, same, &mem);
	for (uint32_t i = 0; i < N; i++) {
		int order = i ? strcmp(name[ids[i - 1]], name[ids[i]]) : -1;

		assert_true(order < 0 || (order == 0 && ids[i - 1] < ids[i]));
		assert_int_equal(bitset_has(same, i), order == 0);
	}
	arena_free(&mem);
}

static void times(void **state)
{
	(void)state;
	assert_true(radix_key_descending(2.0) < radix_key_descending(1.0));
	assert_true(radix_key_descending(1e-300) < radix_key_descending(0.0));
	assert_true(radix_key_descending(0.0) == radix_key_descending(-0.0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(columns),
		cmocka_unit_test(names),
		cmocka_unit_test(times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
