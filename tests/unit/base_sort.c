/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting: stable, and the promised procedure even where the order is none. */
#include "testing.h"

#include "base/sort.h"

enum { MANY = 300 };

static int by_key(uint32_t x, uint32_t y, const void *context)
{
	const uint32_t *key = context;

	return (key[x] > key[y]) - (key[x] < key[y]);
}

/* By key among the odd ids, by number if one of the two is even: a <= b <= c does not give a <= c.
 */
static int not_transitive(uint32_t x, uint32_t y, const void *context)
{
	if (x % 2 && y % 2)
		return by_key(x, y, context);
	return (x > y) - (x < y);
}

/* No order at all: x is before y, y before x. */
static int contradictory(uint32_t x, uint32_t y, const void *context)
{
	const uint32_t *key = context;

	return (int)((key[x] * 7 + key[y] * 13 + x + 3 * y) % 3) - 1;
}

static void insertion_sort(uint32_t *ids, size_t n, sort_order *order, const void *context)
{
	for (size_t i = 1; i < n; i++) {
		uint32_t id = ids[i];
		size_t k = i;

		for (; k > 0 && order(ids[k - 1], id, context) > 0; k--)
			ids[k] = ids[k - 1];
		ids[k] = id;
	}
}

/* The procedure of sort.h, literally. */
static void reference_sort(uint32_t *ids, size_t n, sort_order *order, const void *context)
{
	size_t nleft = n / 2, nright = n - nleft, i = 0, k = 0;
	uint32_t left[MANY], right[MANY];

	if (n < 2)
		return;
	memcpy(left, ids, nleft * sizeof(*ids));
	memcpy(right, ids + nleft, nright * sizeof(*ids));
	reference_sort(left, nleft, order, context);
	reference_sort(right, nright, order, context);
	while (i < nleft || k < nright) {
		bool from_left =
			k == nright || (i < nleft && order(left[i], right[k], context) <= 0);

		ids[i + k] = from_left ? left[i] : right[k];
		if (from_left)
			i++;
		else
			k++;
	}
}

typedef void reference(uint32_t *ids, size_t n, sort_order *order, const void *context);

/* Random ids with random keys from few or many values, of every length up to MANY. */
static void compare_with(reference *slow_sort, sort_order *order, uint32_t nkeys)
{
	struct arena mem = test_arena();
	uint64_t seed = nkeys;
	uint32_t key[MANY], ids[MANY], expected[MANY];

	for (uint32_t n = 0; n <= MANY; n++) {
		for (uint32_t i = 0; i < n; i++) {
			uint32_t k = random_below(&seed, i + 1);

			ids[i] = ids[k];
			ids[k] = i;
			key[i] = random_below(&seed, nkeys);
		}
		memcpy(expected, ids, sizeof(*ids) * n);
		slow_sort(expected, n, order, key);
		sort_ids(ids, n, order, key, &mem);
		assert_memory_equal(ids, expected, sizeof(*ids) * n);
	}
	assert_null(mem.top);
}

static void equals_an_insertion_sort(void **state)
{
	static const uint32_t nkeys[] = { 1, 2, 3, 10, 1000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(nkeys); i++)
		compare_with(insertion_sort, by_key, nkeys[i]);
}

static void equals_the_procedure_without_an_order(void **state)
{
	static const uint32_t nkeys[] = { 2, 3, 10, 1000000 };

	(void)state;
	for (size_t i = 0; i < COUNT(nkeys); i++) {
		compare_with(reference_sort, by_key, nkeys[i]);
		compare_with(reference_sort, not_transitive, nkeys[i]);
		compare_with(reference_sort, contradictory, nkeys[i]);
	}
}

static void equal_ids_keep_their_order(void **state)
{
	static const uint32_t key[] = { 5, 1, 5, 1, 5, 0 };
	static const uint32_t expected[] = { 5, 3, 1, 4, 2, 0 };
	uint32_t ids[] = { 4, 3, 2, 1, 0, 5 };
	struct arena mem = test_arena();

	(void)state;
	sort_ids(ids, 6, by_key, key, &mem);
	assert_memory_equal(ids, expected, sizeof(ids));
}

static void repeated_ids_are_kept(void **state)
{
	static const uint32_t key[] = { 2, 1 };
	static const uint32_t expected[] = { 1, 1, 1, 0, 0 };
	uint32_t ids[] = { 0, 1, 1, 0, 1 };
	struct arena mem = test_arena();

	(void)state;
	sort_ids(ids, 5, by_key, key, &mem);
	assert_memory_equal(ids, expected, sizeof(ids));
}

static void a_million_ids(void **state)
{
	enum { N = 1000000 };
	struct arena mem = test_arena();
	uint32_t *key = arena_array(&mem, uint32_t, N), *ids = arena_array(&mem, uint32_t, N);
	uint64_t seed = 9;

	(void)state;
	for (uint32_t i = 0; i < N; i++) {
		ids[i] = i;
		key[i] = random_below(&seed, N / 4);
	}
	sort_ids(ids, N, by_key, key, &mem);
	for (uint32_t i = 1; i < N; i++) {
		if (key[ids[i - 1]] > key[ids[i]] ||
		    (key[ids[i - 1]] == key[ids[i]] && ids[i - 1] >= ids[i]))
			fail_msg("%u and %u stand wrong", ids[i - 1], ids[i]);
	}
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_ids_keep_their_order),
		cmocka_unit_test(repeated_ids_are_kept),
		cmocka_unit_test(equals_an_insertion_sort),
		cmocka_unit_test(equals_the_procedure_without_an_order),
		cmocka_unit_test(a_million_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
