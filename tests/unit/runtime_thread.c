/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs that share the first two cells of the thread's table: their calls take the slow path,
 * unless a larger table parts them. */
#include "count/thread.h"
#include "testing.h"

enum { NCALLS = 1000000, MOST_SLOW = NCALLS / 50, MOST_CELLS = 4 * 64 * 9 };

static const uintptr_t self = 0x402000;
static uint64_t slow; /* calls that have taken the slow path */

static void call(uintptr_t from, uintptr_t to)
{
	if (gmon_table && table_add_first(gmon_table, from, to, 1))
		return;
	slow++;
	thread_add(from, to, 1);
}

/* The calls of a pair in all tables. */
static uint64_t calls_of(uintptr_t from, uintptr_t to)
{
	uint64_t calls = 0;

	for (struct table *table = table_first(GMON_LIVE_COUNTS); table;
	     table = table_next(table)) {
		const struct cell *cell = table_get(table, from, to);

		calls += cell ? table_count(cell) : 0;
	}
	return calls;
}

/* Three callers of `self` that share a line of the thread's table, beside pairs of earlier tests.
 */
static void find_three(uintptr_t from[3], uintptr_t begin)
{
	uintptr_t line = 0;
	size_t n = 0;

	for (uintptr_t at = begin; n < 3; at += 16) {
		uintptr_t cell =
			table_hash(at, self, table_mask(gmon_table)) / sizeof(struct cell) / 2;

		if (n && cell != line)
			continue;
		line = cell;
		from[n++] = at;
	}
}

static void test_table_grows(void **state)
{
	uintptr_t from[3];
	size_t ncells;

	(void)state;
	thread_begin();
	ncells = table_ncells(gmon_table);
	find_three(from, 0x401000);
	slow = 0;
	for (int i = 0; i < NCALLS; i++)
		for (size_t k = 0; k < COUNT(from); k++)
			call(from[k], self);
	assert_true(table_ncells(gmon_table) > ncells);
	assert_true(slow < MOST_SLOW);
	for (size_t k = 0; k < COUNT(from); k++)
		assert_int_equal(calls_of(from[k], self), NCALLS);
}

/* What is slow is too little. */
static void test_table_stays(void **state)
{
	uintptr_t from[3];
	size_t ncells = table_ncells(gmon_table);

	(void)state;
	find_three(from, 0x501000);
	slow = 0;
	for (int i = 0; i < NCALLS; i++) {
		call(from[i % 2], self);
		if (i % 10 == 5)
			call(from[2], self);
	}
	assert_true(slow >= NCALLS / 10);
	assert_int_equal(table_ncells(gmon_table), ncells);
	assert_int_equal(calls_of(from[2], self), NCALLS / 10);
}

/* What a change of `self` must change in `from` so that the hash stays. */
static uintptr_t turned(uintptr_t change)
{
	const unsigned bits = 8 * sizeof(change);

	return change << GMON_HASH_ROTATE | change >> (bits - GMON_HASH_ROTATE);
}

/* These have the same hash, so no table parts them. */
static void test_table_ends_growing(void **state)
{
	(void)state;
	for (int i = 0; i < NCALLS; i++)
		for (uintptr_t k = 1; k <= 3; k++)
			call(0x601000 ^ turned(k), self ^ k);
	/* Nine pairs are in it at most. */
	assert_true(table_ncells(gmon_table) < MOST_CELLS);
	for (uintptr_t k = 1; k <= 3; k++)
		assert_int_equal(calls_of(0x601000 ^ turned(k), self ^ k), NCALLS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_grows),
		cmocka_unit_test(test_table_stays),
		cmocka_unit_test(test_table_ends_growing),
	};

	return cmocka_run_group_tests_name("runtime_thread", tests, NULL, NULL);
}
