/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which threads are idle: blocked in one place for nearly all of their life, unless all are. */
#include "testing.h"

#include "analysis/stacks/idle.h"

enum { OFF = 1, RATE = 1000000, LIFE_S = 10 };

struct waiters {
	struct arena mem;
	struct recorded recorded;
	bool keep_busiest;
};

static void waiters_init(struct waiters *w, uint32_t nthreads)
{
	*w = (struct waiters){ .mem = test_arena() };
	array_push(&w->mem, &w->recorded.kinds) = (struct recorded_kind){ "cpu", { 100, "", 's' } };
	array_push(&w->mem, &w->recorded.kinds) =
		(struct recorded_kind){ RECORDED_WAITING_KIND, { RATE, "", 's' } };
	for (uint32_t i = 0; i < nthreads; i++)
		array_push(&w->mem, &w->recorded.threads) =
			(struct recorded_thread){ .tid = i,
						  .life_ns = LIFE_S * UINT64_C(1000000000) };
}

static void waiters_add(struct waiters *w, uint32_t thread, uint32_t node, uint64_t ms)
{
	array_push(&w->mem, &w->recorded.samples) =
		(struct recorded_sample){ node, thread, OFF, STACK_COMPLETE, ms * (RATE / 1000) };
}

static struct clock waiters_clock(struct waiters *w)
{
	struct clock clock = { .waiting = OFF, .off = OFF };

	idle_leave_out(&clock, &w->recorded, w->keep_busiest, &w->mem);
	return clock;
}

static void one_place(void **state)
{
	struct waiters w;
	struct clock clock;

	(void)state;
	waiters_init(&w, 4);
	waiters_add(&w, 0, 3, 9501); /* idle, */
	waiters_add(&w, 1, 3, 9500); /* just not, */
	waiters_add(&w, 2, 3, 5000); /* elsewhere as well, */
	waiters_add(&w, 2, 4, 5000);
	waiters_add(&w, 3, 5, 4000); /* and one whose two samples are of one place */
	waiters_add(&w, 3, 5, 5600);
	clock = waiters_clock(&w);
	assert_int_equal(clock.nidle, 2);
	assert_true(bitset_has(clock.idle, 0));
	assert_false(bitset_has(clock.idle, 1));
	assert_false(bitset_has(clock.idle, 2));
	assert_true(bitset_has(clock.idle, 3));
	assert_true(clock_is_idle(&clock, &w.recorded.samples.at[0]));
	assert_false(clock_is_idle(&clock, &w.recorded.samples.at[1]));
	w.recorded.samples.at[0].kind = 0; /* CPU time of an idle thread counts */
	assert_false(clock_is_idle(&clock, &w.recorded.samples.at[0]));
	arena_free(&w.mem);
}

/* That is then what the program does. */
static void all_idle(void **state)
{
	struct waiters w;

	(void)state;
	waiters_init(&w, 3);
	waiters_add(&w, 0, 3, 9900);
	waiters_add(&w, 2, 4, 9900);
	assert_int_equal(waiters_clock(&w).nidle, 0);
	arena_free(&w.mem);
}

/* Of two processes, one has nothing to do but to wait for the other, whose helper is idle. */
static void busiest_waits(void **state)
{
	struct waiters w;
	struct clock clock;

	(void)state;
	waiters_init(&w, 4);
	w.keep_busiest = true;
	w.recorded.nfiles = 2;
	w.recorded.threads.at[1].cpu_ns = 1;
	w.recorded.threads.at[2].recording = w.recorded.threads.at[3].recording = 1;
	w.recorded.threads.at[3].cpu_ns = UINT64_C(9000000000);
	waiters_add(&w, 0, 3, 9900);
	waiters_add(&w, 1, 3, 9900);
	waiters_add(&w, 2, 4, 9900);
	clock = waiters_clock(&w);
	assert_int_equal(clock.nidle, 2);
	assert_true(bitset_has(clock.idle, 0));
	assert_false(bitset_has(clock.idle, 1));
	assert_true(bitset_has(clock.idle, 2));
	arena_free(&w.mem);
}

static void life_is_unknown(void **state)
{
	struct waiters w;

	(void)state;
	waiters_init(&w, 2);
	w.recorded.threads.at[0].life_ns = 0;
	waiters_add(&w, 0, 3, 9900);
	waiters_add(&w, 1, 4, 100);
	assert_int_equal(waiters_clock(&w).nidle, 0);
	arena_free(&w.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_place),
		cmocka_unit_test(all_idle),
		cmocka_unit_test(busiest_waits),
		cmocka_unit_test(life_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
