/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hash tables of counts, one writer at a time; tests/runtime/stress.c has several. */
#include "count/table.h"
#include "sample/bins.h"
#include "testing.h"

enum { NCELLS = 256, NPAIRS = 200, NADDITIONS = 20000, LINE_CELLS = 64 / sizeof(struct cell) };

static struct table *new_table(size_t ncells)
{
	struct table *table = table_new(GMON_LIVE_COUNTS, ncells);

	assert_non_null(table);
	assert_int_equal(table_ncells(table), ncells);
	return table;
}

/* What all cells of a pair have, and how many there are. */
static uint64_t sum_of(const struct table *table, uintptr_t from, uintptr_t self, size_t *ncells)
{
	uint64_t sum = 0;

	*ncells = 0;
	for (size_t i = 0; i < table_ncells(table); i++) {
		const struct cell *cell = &table->cell[i];

		if (table_from(cell) == from && cell->self == self) {
			sum += table_count(cell);
			(*ncells)++;
		}
	}
	return sum;
}

static void expect_pair(const struct table *table, uintptr_t from, uintptr_t self, uint64_t count)
{
	size_t ncells;

	assert_int_equal(sum_of(table, from, self, &ncells), count);
	assert_int_equal(ncells, 1);
}

static uintptr_t from_of(size_t pair)
{
	return 0x401000 + 16 * pair;
}

static uintptr_t self_of(size_t pair)
{
	return 0x402000 + pair % 7;
}

static void test_random(void **state)
{
	struct table *table = new_table(NCELLS);
	uint64_t truth[NPAIRS] = { 0 };
	uint64_t random = 1;

	(void)state;
	for (int i = 0; i < NADDITIONS; i++) {
		size_t pair = random_below(&random, NPAIRS);
		uint64_t n = random_bits(&random) >> 24; /* often above 32 bits */

		assert_true(table_add(table, from_of(pair), self_of(pair), n, table_full(table)));
		truth[pair] += n;
	}
	assert_int_equal(table->used, NPAIRS);
	for (size_t pair = 0; pair < NPAIRS; pair++)
		expect_pair(table, from_of(pair), self_of(pair), truth[pair]);
}

static void test_limit(void **state)
{
	struct table *table = new_table(NCELLS);
	size_t limit = table_good(table);
	size_t ncells;

	(void)state;
	assert_true(limit < table_full(table) && table_full(table) < NCELLS);
	for (size_t pair = 0; pair < limit; pair++)
		assert_true(table_add(table, from_of(pair), self_of(pair), 1, limit));
	assert_false(table_add(table, from_of(limit), self_of(limit), 1, limit));
	assert_int_equal(table->used, limit);
	sum_of(table, from_of(limit), self_of(limit), &ncells);
	assert_int_equal(ncells, 0);
	assert_true(table_add(table, from_of(0), self_of(0), 2, limit));
	expect_pair(table, from_of(0), self_of(0), 3);
	assert_true(table_add(table, from_of(limit), self_of(limit), 5, table_full(table)));
	expect_pair(table, from_of(limit), self_of(limit), 5);
}

/* Pairs that all begin to look at the line of the last cell: the others go around the end. */
static void test_collisions(void **state)
{
	struct table *table = new_table(NCELLS);
	uintptr_t mask = table_mask(table);
	uintptr_t from[6];
	size_t n = 0;

	(void)state;
	for (uintptr_t at = 16; n < COUNT(from); at++)
		if ((table_hash(at, 0x402000, mask) | sizeof(struct cell)) == mask)
			from[n++] = at;
	for (int round = 1; round <= 2; round++)
		for (size_t i = 0; i < COUNT(from); i++)
			assert_true(table_add(table, from[i], 0x402000, i + 1, NCELLS - 1));
	for (size_t i = 0; i < COUNT(from); i++)
		expect_pair(table, from[i], 0x402000, 2 * (i + 1));
	assert_int_not_equal(table->cell[NCELLS - 1].from, FROM_NONE);
	assert_int_not_equal(table->cell[NCELLS - 2].from, FROM_NONE);
	assert_int_not_equal(table->cell[0].from, FROM_NONE);
}

/* The fast way takes the two cells that a pair looks at first, and no other. */
static void test_first(void **state)
{
	struct table *table = new_table(NCELLS);
	uintptr_t from[3];
	size_t n = 0;

	(void)state;
	for (uintptr_t at = 16; n < COUNT(from); at++)
		if (table_hash(at, 0x402000, table_mask(table)) / sizeof(struct cell) == 10)
			from[n++] = at;
	assert_false(table_add_first(table, from[0], 0x402000, 1));
	assert_int_equal(table->used, 0);
	for (size_t i = 0; i < COUNT(from); i++)
		assert_true(table_add(table, from[i], 0x402000, 1, table_full(table)));
	assert_true(table_add_first(table, from[0], 0x402000, 10));
	assert_true(table_add_first(table, from[1], 0x402000, 20));
	assert_false(table_add_first(table, from[2], 0x402000, 30));
	assert_false(table_add_first(table, from[0], 0x402001, 40));
	expect_pair(table, from[0], 0x402000, 11);
	expect_pair(table, from[1], 0x402000, 21);
	expect_pair(table, from[2], 0x402000, 1);
}

/* A signal between claiming a cell and filling it: the handler's pair takes the next one. */
static void test_claimed(void **state)
{
	struct table *table = new_table(NCELLS);
	uintptr_t at = table_hash(from_of(0), self_of(0), table_mask(table));
	struct cell *cell = table_cell(table, at);

	(void)state;
	cell->from = FROM_CLAIMED;
	cell->self = self_of(0);
	assert_true(table_add(table, from_of(0), self_of(0), 3, table_full(table)));
	assert_int_equal(cell->from, FROM_CLAIMED);
	assert_int_equal(table_count(cell), 0);
	expect_pair(table, from_of(0), self_of(0), 3);
	assert_int_equal(table_cell(table, at ^ sizeof(struct cell))->from, from_of(0));
}

static void test_zero(void **state)
{
	struct table *table = new_table(NCELLS);

	(void)state;
	for (size_t pair = 0; pair < 50; pair++)
		table_add(table, from_of(pair), self_of(pair), UINT64_MAX, table_full(table));
	table_zero(table);
	for (size_t pair = 0; pair < 50; pair++)
		expect_pair(table, from_of(pair), self_of(pair), 0);
	assert_int_equal(table->used, 50);
}

static void test_blocks(void **state)
{
	struct table *table = new_table(2);
	struct bins *bins = bins_new(0x401001, 0x401011);

	(void)state;
	assert_non_null(bins);
	assert_ptr_equal(table_of_kind(&table->head, GMON_LIVE_COUNTS), table);
	assert_ptr_equal(bins_of(&bins->head), bins);
	assert_null(table_of_kind(&bins->head, GMON_LIVE_COUNTS));
	assert_null(bins_of(&table->head));
	assert_ptr_equal(count_block_first(), bins);
	assert_ptr_equal(count_block_next(count_block_first()), table);
	table->head.ready = 0;
	assert_null(table_of_kind(&table->head, GMON_LIVE_COUNTS));
	assert_null(table_new(GMON_LIVE_COUNTS, SIZE_MAX / 2 / sizeof(struct cell) + 1));
	assert_int_equal(sizeof(struct cell) * LINE_CELLS, 64);
}

/* Whole words of code: 0x401000 up to 0x401014. */
static void test_bins(void **state)
{
	struct bins *bins = bins_private(0x401001, 0x401011);

	(void)state;
	assert_non_null(bins);
	assert_int_equal(bins_number(bins), 10);
	assert_int_equal(bins->head.low, 0x401000);
	assert_true(bins_add(bins, 0x401000, 1));
	assert_true(bins_add(bins, 0x401001, 2));
	assert_true(bins_add(bins, 0x401013, UINT32_MAX));
	assert_false(bins_add(bins, 0x400fff, 1));
	assert_false(bins_add(bins, 0x401014, 1));
	assert_int_equal(bins_ticks(bins, 0), 3);
	assert_int_equal(bins_ticks(bins, 9), UINT32_MAX);
	assert_true(bins_sum(bins) == (uint64_t)UINT32_MAX + 3);
	bins_zero(bins);
	assert_int_equal(bins_sum(bins), 0);
	bins_free(bins);
	assert_null(bins_private(0x401000, 0x401000));
	assert_null(bins_private(0x401000, 0x400000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),     cmocka_unit_test(test_limit),
		cmocka_unit_test(test_collisions), cmocka_unit_test(test_first),
		cmocka_unit_test(test_claimed),    cmocka_unit_test(test_zero),
		cmocka_unit_test(test_blocks),     cmocka_unit_test(test_bins),
	};

	return cmocka_run_group_tests_name("runtime_table", tests, NULL, NULL);
}
