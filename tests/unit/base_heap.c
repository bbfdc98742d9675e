/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heaps: elements come out in order, whatever their size and however pushes and pops alternate. */
#include "testing.h"

#include "base/heap.h"

enum { MANY = 300 };

/* As large as an element may be. */
struct large {
	uint32_t key, number;
	char rest[HEAP_ELEMENT_BYTES - 8];
};

static bool smaller_number(const void *x, const void *y, const void *arg)
{
	(void)arg;
	return *(const uint32_t *)x < *(const uint32_t *)y;
}

static bool larger_key(const void *x, const void *y, const void *keys)
{
	const uint32_t *key = keys;

	return key[*(const uint32_t *)x] > key[*(const uint32_t *)y];
}

static void expect_heap(const uint32_t *at, size_t n)
{
	for (size_t i = 1; i < n; i++)
		assert_true(at[(i - 1) / 2] <= at[i]);
}

/* Each length, with values of which many are equal and values of which few are. */
static void all_come_out_in_order(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (uint32_t n = 1; n <= MANY; n++) {
		uint32_t at[MANY], sum = 0;

		for (uint32_t i = 0; i < n; i++) {
			at[i] = random_below(&seed, n % 2 ? 1000000 : n / 8 + 1);
			sum += at[i];
			heap_push(at, i + 1, sizeof(at[0]), smaller_number, NULL);
			expect_heap(at, i + 1);
		}
		for (uint32_t i = n; i > 0; i--) {
			heap_pop(at, i, sizeof(at[0]), smaller_number, NULL);
			expect_heap(at, i - 1);
			sum -= at[i - 1];
			assert_true(i == n || at[i] <= at[i - 1]);
		}
		assert_int_equal(sum, 0);
	}
}

/* Against the smallest of a plain list. */
static void pushes_and_pops_alternate(void **state)
{
	uint32_t at[MANY], list[MANY];
	uint64_t seed = 2;
	size_t n = 0;

	(void)state;
	for (unsigned step = 0; step < 20000; step++) {
		size_t least = 0;

		if (n == 0 || (n < MANY && random_below(&seed, 2))) {
			at[n] = list[n] = random_below(&seed, 50);
			n++;
			heap_push(at, n, sizeof(at[0]), smaller_number, NULL);
			continue;
		}
		for (size_t i = 1; i < n; i++)
			least = list[i] < list[least] ? i : least;
		heap_pop(at, n, sizeof(at[0]), smaller_number, NULL);
		n--;
		assert_int_equal(at[n], list[least]);
		list[least] = list[n];
		expect_heap(at, n);
	}
}

static void the_order_may_need_more_than_the_elements(void **state)
{
	static const uint32_t key[] = { 20, 50, 10, 40, 30 };
	static const uint32_t expected[] = { 1, 3, 4, 0, 2 };
	uint32_t at[COUNT(key)];

	(void)state;
	for (uint32_t i = 0; i < COUNT(key); i++) {
		at[i] = i;
		heap_push(at, i + 1, sizeof(at[0]), larger_key, key);
	}
	for (uint32_t i = 0; i < COUNT(key); i++) {
		heap_pop(at, COUNT(key) - i, sizeof(at[0]), larger_key, key);
		assert_int_equal(at[COUNT(key) - i - 1], expected[i]);
	}
}

static void large_elements_stay_whole(void **state)
{
	struct large at[MANY], expected;
	bool seen[MANY] = { false };
	uint64_t seed = 3;

	(void)state;
	for (uint32_t i = 0; i < MANY; i++) {
		memset(&at[i], (int)(i % 251), sizeof(at[i]));
		at[i].key = random_below(&seed, 1000);
		at[i].number = i;
		heap_push(at, i + 1, sizeof(at[0]), smaller_number, NULL);
	}
	for (uint32_t n = MANY; n > 0; n--) {
		const struct large *first = &at[n - 1];

		heap_pop(at, n, sizeof(at[0]), smaller_number, NULL);
		assert_true(n == MANY || at[n].key <= first->key);
		assert_true(first->number < MANY && !seen[first->number]);
		seen[first->number] = true;
		memset(&expected, (int)(first->number % 251), sizeof(expected));
		assert_memory_equal(first->rest, expected.rest, sizeof(expected.rest));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_come_out_in_order),
		cmocka_unit_test(pushes_and_pops_alternate),
		cmocka_unit_test(the_order_may_need_more_than_the_elements),
		cmocka_unit_test(large_elements_stay_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
