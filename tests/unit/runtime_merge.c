/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up tables: which pairs are an object's, and at which addresses of its file. */
#include "sample/bins.h"
#include "testing.h"
#include "write/merge.h"

enum { NCELLS = 64, LOW = 0x1000, HIGH = 0x2000, ENTRY = 0x1040, BIAS = 0x560000 };

static const struct program program = { BIAS, BIAS + LOW, BIAS + HIGH, BIAS + ENTRY };

/* What a visit brought, in link-time addresses. */
struct seen {
	size_t n;
	struct {
		uintptr_t from, self;
		uint64_t count;
	} pair[32];
};

static void see(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	struct seen *seen = context;

	assert_true(seen->n < COUNT(seen->pair));
	seen->pair[seen->n].from = from;
	seen->pair[seen->n].self = self;
	seen->pair[seen->n++].count = count;
}

static void expect(const struct seen *seen, uintptr_t from, uintptr_t self, uint64_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < seen->n; i++)
		if (seen->pair[i].from == from && seen->pair[i].self == self)
			sum += seen->pair[i].count;
	if (sum != count)
		fail_msg("0x%zx 0x%zx: %zu, not %zu", (size_t)from, (size_t)self, (size_t)sum,
			 (size_t)count);
}

static struct table *tables[2];

/* All tables of all tests are in one list. */
static int make_tables(void **state)
{
	(void)state;
	for (struct count_block *block = count_block_first(); block;
	     block = count_block_next(block))
		if (table_of_kind(block, GMON_LIVE_COUNTS))
			table_zero((struct table *)block);
	for (size_t i = 0; i < COUNT(tables); i++)
		tables[i] = table_new(GMON_LIVE_COUNTS, NCELLS);
	return bins_new(BIAS + LOW, BIAS + HIGH) && tables[0] && tables[1] ? 0 : -1;
}

static void add(size_t table, uintptr_t from, uintptr_t self, uint64_t count)
{
	assert_true(table_add(tables[table], from, self, count, NCELLS - 1));
}

/* Merged, and one by one. */
static void each(struct seen *merged, struct seen *single)
{
	const struct merged none = { NULL, { NULL, 0 } };
	struct merged sum = merge_tables(&program);

	*merged = *single = (struct seen){ 0 };
	assert_non_null(sum.table);
	merge_each(&sum, &program, see, merged);
	merge_each(&none, &program, see, single);
	merge_free(&sum);
}

static void test_sums(void **state)
{
	const uint64_t large = (uint64_t)1 << 35;
	uintptr_t site = arch_call_site(LOW + 0x20);
	struct seen merged, single;

	(void)state;
	add(0, BIAS + LOW + 0x20, BIAS + LOW + 0x40, large);
	add(0, BIAS + LOW + 0x20, BIAS + LOW + 0x60, 2);
	add(1, BIAS + LOW + 0x20, BIAS + LOW + 0x40, 3);
	each(&merged, &single);
	assert_int_equal(merged.n, 2);
	assert_int_equal(single.n, 3);
	expect(&merged, site, LOW + 0x40, large + 3);
	expect(&merged, site, LOW + 0x60, 2);
	expect(&single, site, LOW + 0x40, large + 3);
	expect(&single, site, LOW + 0x60, 2);
}

/* Counts for which there was no time yet are nobody's. */
static void test_impossible_count(void **state)
{
	struct seen merged, single;

	(void)state;
	add(0, BIAS + LOW + 0x20, BIAS + LOW + 0x40, (uint64_t)1 << 60);
	add(0, BIAS + LOW + 0x20, BIAS + LOW + 0x60, 2);
	add(1, FROM_ANYWHERE, CELL_UNKNOWN_TICKS, (uint64_t)1 << 60);
	add(0, FROM_ANYWHERE, CELL_UNKNOWN_TICKS, 5);
	each(&merged, &single);
	assert_int_equal(merged.n, 1);
	assert_int_equal(single.n, 1);
	assert_int_equal(merge_unknown_ticks(), 5);
}

/* Callers outside are the entry point, callees outside are nobody's business. */
static void test_outside(void **state)
{
	struct seen merged, single;

	(void)state;
	add(0, BIAS + HIGH + 0x100, BIAS + LOW, 1);
	add(0, BIAS + HIGH, BIAS + LOW, 2);
	add(1, FROM_UNKNOWN, BIAS + LOW, 4);
	add(1, BIAS + LOW + 8, BIAS + HIGH, 8);
	add(1, BIAS + LOW + 8, BIAS + LOW - 1, 16);
	each(&merged, &single);
	assert_int_equal(merged.n, 1);
	assert_int_equal(single.n, 3);
	expect(&merged, ENTRY, LOW, 7);
	expect(&single, ENTRY, LOW, 7);
}

/* Blocks and ticks keep their address, and what lies outside is left out. */
static void test_marks(void **state)
{
	struct seen merged, single;

	(void)state;
	add(0, BIAS + LOW, CELL_BLOCK, 5);
	add(1, BIAS + HIGH - 1, CELL_BLOCK, 6);
	add(0, BIAS + HIGH, CELL_BLOCK, 7);
	add(0, BIAS + LOW + 4, CELL_OUTSIDE_TICKS, 8);
	add(1, FROM_ANYWHERE, CELL_OUTSIDE_TICKS, 9);
	each(&merged, &single);
	assert_int_equal(merged.n, 3);
	assert_int_equal(single.n, 3);
	expect(&merged, LOW, CELL_BLOCK, 5);
	expect(&merged, HIGH - 1, CELL_BLOCK, 6);
	expect(&merged, LOW + 4, CELL_OUTSIDE_TICKS, 8);
}

/* Cells that are being filled, and those that were made zero. */
static void test_nothing(void **state)
{
	struct seen merged, single;

	(void)state;
	add(0, BIAS + LOW, BIAS + LOW, 1);
	table_zero(tables[0]);
	tables[1]->cell[0].from = FROM_CLAIMED;
	tables[1]->cell[0].self = BIAS + LOW;
	tables[1]->cell[0].count = 1;
	each(&merged, &single);
	assert_int_equal(merged.n, 0);
	assert_int_equal(single.n, 0);
	tables[1]->head.ready = 0;
	tables[1]->cell[0].from = BIAS + LOW;
	each(&merged, &single);
	assert_int_equal(single.n, 0);
	tables[1]->cell[0].count = 0;
	tables[1]->head.ready = GMON_LIVE_READY;
}

/* More pairs than one table has room for. */
static void test_many(void **state)
{
	enum { N = 5000 };
	struct table *large = table_new(GMON_LIVE_COUNTS, 16384);
	struct merged sum;
	size_t n = 0;

	(void)state;
	assert_non_null(large);
	for (uintptr_t i = 0; i < N; i++)
		table_add(large, BIAS + LOW + 1 + i % 64, BIAS + LOW + i / 64, i + 1, 16383);
	sum = merge_tables(&program);
	assert_non_null(sum.table);
	for (size_t i = 0; i < table_ncells(sum.table); i++)
		n += sum.table->cell[i].from != FROM_NONE;
	assert_int_equal(sum.table->used, n);
	merge_free(&sum);
	/* On some machines two return addresses are of one call. */
	assert_true(arch_call_site(LOW + 2) == arch_call_site(LOW + 1) ? n < N : n == N);
	table_zero(large);
}

/* Whichever thread's table a pair is in, and however often it was inserted. */
static void test_order(void **state)
{
	static const uintptr_t callees[] = { 0x700, 0x10, 0x400, 0x30, 0x200 };
	struct seen merged, single;

	(void)state;
	for (size_t i = 0; i < COUNT(callees); i++)
		add(i % 2, BIAS + LOW + 0x20, BIAS + LOW + callees[i], i + 1);
	for (size_t i = COUNT(callees); i-- > 0;)
		add(1 - i % 2, BIAS + LOW + 0x20, BIAS + LOW + callees[i], 1);
	each(&merged, &single);
	assert_int_equal(merged.n, COUNT(callees));
	for (size_t i = 0; i < COUNT(callees); i++)
		assert_int_equal(merged.pair[i].self, LOW + callees[i]);
}

/* Somebody has written into the shared file: then there is no order, and nothing is lost. */
static void test_spoiled_order(void **state)
{
	static const uintptr_t spoiled[] = { 0, 1, UINTPTR_MAX };
	struct merged sum;

	(void)state;
	for (size_t i = 0; i < COUNT(spoiled); i++) {
		make_tables(NULL);
		add(0, BIAS + LOW + 0x20, BIAS + LOW + 0x40, 1);
		add(1, BIAS + LOW + 0x20, BIAS + LOW + 0x60, 1);
		sum = merge_tables(&program);
		assert_true(sum.order.n > 0);
		merge_free(&sum);
		for (size_t k = 0; k < COUNT(tables); k++)
			for (size_t cell = 0; cell < NCELLS; cell++)
				*table_number(tables[k], &tables[k]->cell[cell]) = spoiled[i];
		sum = merge_tables(&program);
		assert_int_equal(sum.order.n, 0);
		assert_int_equal(sum.table->used, 2);
		merge_free(&sum);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_sums, make_tables),
		cmocka_unit_test_setup(test_impossible_count, make_tables),
		cmocka_unit_test_setup(test_outside, make_tables),
		cmocka_unit_test_setup(test_marks, make_tables),
		cmocka_unit_test_setup(test_nothing, make_tables),
		cmocka_unit_test_setup(test_many, make_tables),
		cmocka_unit_test_setup(test_order, make_tables),
		cmocka_unit_test_setup(test_spoiled_order, make_tables),
	};

	return cmocka_run_group_tests_name("runtime_merge", tests, NULL, NULL);
}
