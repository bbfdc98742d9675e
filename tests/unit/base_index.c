/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding elements of an array by hashing, whatever the hashes. */
#include "testing.h"

#include "base/array.h"
#include "base/index.h"

typedef ARRAY(uint64_t) number_array;

static uint64_t good_hash(const void *numbers, size_t place)
{
	return index_hash_pair(((const uint64_t *)numbers)[place], 0);
}

/* All elements begin in four slots, the last of all among them. */
static uint64_t bad_hash(const void *numbers, size_t place)
{
	return UINT64_MAX - ((const uint64_t *)numbers)[place] % 4;
}

static bool number_is(const void *numbers, size_t place, const void *wanted)
{
	return ((const uint64_t *)numbers)[place] == *(const uint64_t *)wanted;
}

/* The place of a number, which is added if it is new. */
static size_t place_of(struct index *index, number_array *all, uint64_t number, index_hash *hash,
		       struct arena *mem)
{
	uint32_t *slot;

	index_reserve(index, all->n + 1, hash, all->at, all->n, mem);
	assert_true(index->nslots >= 2 * (all->n + 1));
	slot = index_find(index, hash(&number, 0), number_is, all->at, &number);
	if (*slot == 0) {
		array_push(mem, all) = number;
		*slot = (uint32_t)all->n;
	}
	return *slot - 1;
}

static void expect_places(index_hash *hash, uint32_t n)
{
	struct arena mem = test_arena();
	struct index index = { 0 };
	number_array all = { 0 };

	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(place_of(&index, &all, 16 * (uint64_t)i, hash, &mem), i);
	}
	assert_int_equal(all.n, n);
	index_free(&index, &mem);
	assert_int_equal(index.nslots, 0);
	assert_int_equal(place_of(&index, &all, UINT64_MAX, hash, &mem), n);
	arena_free(&mem);
}

static void numbers_keep_their_places(void **state)
{
	(void)state;
	expect_places(good_hash, 1);
	expect_places(good_hash, 20000);
	expect_places(bad_hash, 1000);
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
		assert_int_equal(place_of(&index, &all, number, bad_hash, &mem), expected);
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
	index_reserve(&index, MANY, good_hash, all.at, all.n, &mem);
	slots = index.slot;
	for (uint64_t i = 0; i < MANY; i++)
		assert_int_equal(place_of(&index, &all, i, good_hash, &mem), i);
	assert_ptr_equal(index.slot, slots);
	index_reserve(&index, 1, good_hash, all.at, all.n, &mem);
	assert_ptr_equal(index.slot, slots);
	arena_free(&mem);
}

static void searches_begin_where_they_say(void **state)
{
	struct arena mem = test_arena();
	struct index index = { 0 };
	number_array all = { 0 };
	uint64_t number = 77;

	(void)state;
	assert_int_equal(place_of(&index, &all, number, good_hash, &mem), 0);
	index_prefetch(&index, good_hash(&number, 0));
	assert_int_equal(index_first(&index, good_hash(&number, 0)), 1);
	assert_int_equal(index_first(&index, good_hash(&number, 0) + 1), 0);
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
		cmocka_unit_test(searches_begin_where_they_say),
		cmocka_unit_test(pairs_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
