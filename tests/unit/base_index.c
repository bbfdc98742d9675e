/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding elements of an array by hashing, whatever the hashes. */
#include "testing.h"

#include "base/array.h"
#include "base/index.h"

typedef ARRAY(uint64_t) number_array;

INDEX_KEY(good_key, uint64_t, *x)

/* Keys of all elements begin in four slots. */
INDEX_KEY(bad_key, uint64_t, *x % 4)

static bool number_is(const void *numbers, size_t place, const void *wanted)
{
	return ((const uint64_t *)numbers)[place] == *(const uint64_t *)wanted;
}

/* The place of a number, which is added if it is new. */
static size_t place_of(struct index *index, number_array *all, uint64_t number,
		       index_key_of *key_of, struct arena *mem)
{
	uint32_t place = index_intern_same(index, all, &number, key_of, number_is, mem);

	assert_true(index->nslots >= 2 * all->n);
	return place;
}

static void expect_places(index_key_of *key_of, uint32_t n)
{
	struct arena mem = test_arena();
	struct index index = { 0 };
	number_array all = { 0 };

	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(place_of(&index, &all, 16 * (uint64_t)i, key_of, &mem), i);
	}
	assert_int_equal(all.n, n);
	index_free(&index, &mem);
	assert_int_equal(index.nslots, 0);
	assert_int_equal(place_of(&index, &all, UINT64_MAX, key_of, &mem), n);
	arena_free(&mem);
}

static void numbers_keep_their_places(void **state)
{
	(void)state;
	expect_places(good_key, 1);
	expect_places(good_key, 20000);
	expect_places(bad_key, 1000);
}

/* Against a search through all. */
static void random_numbers(void **state)
{
	struct arena mem = test_arena();
	struct index index = { 0 };
	number_array all = { 0 };
	uint64_t seed = 31;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		uint64_t number = random_below(&seed, 1500);
		size_t expected = 0;

		while (expected < all.n && all.at[expected] != number)
			expected++;
		assert_int_equal(place_of(&index, &all, number, bad_key, &mem), expected);
	}
	arena_free(&mem);
}

/* What was there before is found; room that is there is not made again. */
static void room_for_many(void **state)
{
	enum { BEFORE = 500, MANY = 5000 };
	struct arena mem = test_arena();
	struct index index = { 0 };
	number_array all = { 0 };
	const uint32_t *slots;

	(void)state;
	for (uint64_t i = 0; i < BEFORE; i++)
		array_push(&mem, &all) = i;
	index_reserve(&index, MANY, good_key, all.at, all.n, &mem);
	slots = index.slot;
	for (uint64_t i = 0; i < MANY; i++)
		assert_int_equal(place_of(&index, &all, i, good_key, &mem), i);
	assert_ptr_equal(index.slot, slots);
	index_reserve(&index, 1, good_key, all.at, all.n, &mem);
	assert_ptr_equal(index.slot, slots);
	arena_free(&mem);
}

struct parts {
	uint64_t a, b, c, d;
	unsigned other;
};

INDEX_KEY(parts_key, struct parts, x->a, x->b, x->c, x->d)

/* All four parts count, and nothing else; nothing is found in what is empty. */
static void keys_of_four_parts(void **state)
{
	struct arena mem = test_arena();
	struct index index = { 0 };
	ARRAY(struct parts) all = { 0 };

	(void)state;
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < 256; i++) {
			const struct parts wanted = { i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6,
						      round };
			uint32_t found = round == 0 ? INDEX_NONE : i;

			assert_int_equal(index_lookup(&index, all.at, parts_key, &wanted), found);
			assert_int_equal(index_intern(&index, &all, &wanted, parts_key, &mem), i);
		}
	}
	assert_int_equal(all.n, 256);
	assert_int_equal(all.at[255].other, 0);
	arena_free(&mem);
}

static void searches_begin_where_they_say(void **state)
{
	struct arena mem = test_arena();
	struct index index = { 0 };
	number_array all = { 0 };
	uint64_t number = 77;

	(void)state;
	assert_int_equal(place_of(&index, &all, number, good_key, &mem), 0);
	index_prefetch(&index, index_hash(good_key(&number, 0)));
	assert_int_equal(index_first(&index, index_hash(good_key(&number, 0))), 1);
	assert_int_equal(index_first(&index, index_hash(good_key(&number, 0)) + 1), 0);
	arena_free(&mem);
}

/* Addresses of a regular program: their hashes are as many, and differ in what few slots look at.
 */
static void pairs_are_told_apart(void **state)
{
	enum { N = 64, SLOTS = 2 * N * N };
	static unsigned taken[SLOTS];
	unsigned nfree = 0, most = 0;

	(void)state;
	for (uint64_t a = 0; a < N; a++) {
		for (uint64_t b = 0; b < N; b++) {
			uint64_t h = index_hash_pair(0x400000 + 64 * a, 0x400000 + 64 * b);

			taken[h % SLOTS]++;
		}
	}
	for (size_t i = 0; i < SLOTS; i++) {
		nfree += taken[i] == 0;
		most = taken[i] > most ? taken[i] : most;
	}
	/* By chance 61 of 100 are free. */
	assert_in_range(nfree, SLOTS / 2, SLOTS * 2 / 3);
	assert_in_range(most, 1, 12);
	assert_true(index_hash_pair(1, 2) != index_hash_pair(2, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_keep_their_places),
		cmocka_unit_test(random_numbers),
		cmocka_unit_test(room_for_many),
		cmocka_unit_test(keys_of_four_parts),
		cmocka_unit_test(searches_begin_where_they_say),
		cmocka_unit_test(pairs_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
