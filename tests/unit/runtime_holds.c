/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waited for whom: records that are found again, and moved to other flags and back. */
#include "testing.h"

#include "base/sys.h"
#include "count/count_block.h"
#include "record/holds.h"
#include "record/tree.h"
#include "state.h"

enum {
	WAITER = 3,
	OTHER_WAITER,
	MAIN,
	SERVE,
	LOCK = 0x1000,
	NOT_ENDED = GMON_EXT_WAKER | GMON_EXT_UNWOKEN
};

struct gmon gmon;

void *count_block_new(enum gmon_live_kind kind, size_t bytes, uintptr_t word, uintptr_t low)
{
	(void)kind;
	(void)word;
	(void)low;
	return sys_memory(bytes);
}

static int begin(void **state)
{
	(void)state;
	holds_start();
	return gmon.holds.block ? 0 : -1;
}

static void add(uint32_t waiter, uint32_t holder, uint32_t flags, uint64_t us)
{
	const struct hold hold = { waiter, holder, LOCK, flags };

	holds_add(&hold, us);
}

/* Returns what records have; of all waiters and holders if they are 0. */
static uint64_t sum(uint32_t waiter, uint32_t holder, uint32_t flags)
{
	uint64_t us = 0;

	for (uint32_t i = 0; i < holds_room(); i++) {
		struct gmon_ext_hold hold;

		if (holds_copy(i, &hold) && hold.flags == flags &&
		    (!waiter || hold.waiter == waiter) && (!holder || hold.holder == holder))
			us += hold.ticks;
	}
	return us;
}

static void adds_up(void **state)
{
	(void)state;
	add(WAITER, MAIN, 0, 10);
	add(WAITER, MAIN, 0, 5);
	add(WAITER, MAIN, GMON_EXT_WAKER, 3);
	add(OTHER_WAITER, MAIN, 0, 1);
	assert_int_equal(sum(WAITER, MAIN, 0), 15);
	assert_int_equal(sum(WAITER, MAIN, GMON_EXT_WAKER), 3);
	assert_int_equal(sum(0, 0, 0), 16);
	holds_zero();
	assert_int_equal(sum(0, 0, 0), 0);
}

static void moves_the_newest_first(void **state)
{
	const struct holds_choice since_2 = { WAITER, GMON_EXT_WAKER, 2 };
	const struct holds_choice back = { WAITER, NOT_ENDED, 0 };

	(void)state;
	holds_begin_round(1);
	add(WAITER, SERVE, GMON_EXT_WAKER, 100);
	add(WAITER, SERVE, 0, 7);
	add(OTHER_WAITER, SERVE, GMON_EXT_WAKER, 50);
	holds_begin_round(2);
	add(WAITER, MAIN, GMON_EXT_WAKER, 30);
	assert_int_equal(holds_move(&since_2, NOT_ENDED, 20), 20);
	assert_int_equal(sum(WAITER, MAIN, NOT_ENDED), 20);
	assert_int_equal(sum(WAITER, MAIN, GMON_EXT_WAKER), 10);
	assert_int_equal(sum(WAITER, SERVE, GMON_EXT_WAKER), 100);
	assert_int_equal(holds_move(&back, GMON_EXT_WAKER, 20), 20);
	assert_int_equal(sum(0, 0, NOT_ENDED), 0);
	assert_int_equal(sum(WAITER, MAIN, GMON_EXT_WAKER), 30);
	/* More than the newest have; and more than there is. */
	assert_int_equal(holds_move(&since_2, NOT_ENDED, 60), 60);
	assert_int_equal(sum(WAITER, MAIN, NOT_ENDED), 30);
	assert_int_equal(sum(WAITER, SERVE, NOT_ENDED), 30);
	assert_int_equal(holds_move(&back, GMON_EXT_WAKER, 1000), 60);
	assert_int_equal(holds_move(&back, GMON_EXT_WAKER, 1000), 0);
	assert_int_equal(sum(WAITER, 0, GMON_EXT_WAKER), 130);
	assert_int_equal(sum(OTHER_WAITER, 0, GMON_EXT_WAKER), 50);
	assert_int_equal(sum(WAITER, 0, 0), 7);
}

static void loses_none_when_full(void **state)
{
	const struct holds_choice all = { WAITER, GMON_EXT_WAKER, 0 };
	const uint32_t n = 2 * holds_room();
	uint64_t moved;

	(void)state;
	for (uint32_t i = 0; i < n; i++)
		add(WAITER, MAIN + i, GMON_EXT_WAKER, 1);
	assert_int_equal(sum(0, 0, GMON_EXT_WAKER) + sum(0, 0, 0), n);
	moved = holds_move(&all, NOT_ENDED, n / 4);
	assert_int_equal(sum(0, 0, NOT_ENDED), moved);
	assert_int_equal(sum(0, 0, GMON_EXT_WAKER) + sum(0, 0, 0) + moved, n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(adds_up, begin),
		cmocka_unit_test_setup(moves_the_newest_first, begin),
		cmocka_unit_test_setup(loses_none_when_full, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
