/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which threads rounds of looks leave out, and the elapsed time of threads that are looked at
 * seldom: the helper's rounds, with threads, looks and a clock that are made up here.
 */
#include "testing.h"

#include "record/stacks.h"
#include "sample/clock.h"
#include "state.h"
#include "wait/elapsed.h"
#include "wait/holder.h"
#include "wait/offcpu_entry.h"
#include "wait/offcpu_stack.h"
#include "wait/thin.h"

enum {
	PERIOD = 10000000,
	SECOND = 1000000000,
	BEGIN = SECOND,
	US = 1000,
	MEETING = 3, /* to meet a thread costs so many looks more */
	MOST_ROUNDS = 1024,
};

struct gmon gmon;

/* The helper, and what it costs. Times are nanoseconds. */
static struct {
	struct thin thin;
	struct offcpu_round round;
	uint64_t now, used, per_look;
	uint64_t at[MOST_ROUNDS], used_by[MOST_ROUNDS]; /* when rounds ended, and what was used */
	uint32_t rounds;
	uint32_t seen[OFFCPU_THREADS]; /* the last round that looked at a thread */
} helper;

uint64_t clock_thread_ns(int32_t tid)
{
	assert_int_equal(tid, 0);
	return helper.used;
}

/* Begins with the first thread alone. */
static void begin(uint64_t per_look)
{
	static struct offcpu watched[OFFCPU_THREADS];

	memset(&helper, 0, sizeof(helper));
	memset(watched, 0, sizeof(watched));
	gmon.offcpu.threads = watched;
	gmon.sample_rule.period = PERIOD;
	gmon.pid = 1;
	watched[0].tid = 1;
	helper.now = BEGIN;
	helper.per_look = per_look;
	helper.round = (struct offcpu_round){ .every = 1, .among = 1, .watched = 1 };
}

/* Begins to watch others. */
static void meet(uint32_t threads)
{
	helper.round.among = helper.round.watched = threads;
	for (uint32_t i = 1; i < threads; i++) {
		gmon.offcpu.threads[i].tid = 1 + (int32_t)i;
		gmon.offcpu.threads[i].record = i;
	}
}

static void spend(uint64_t ns)
{
	helper.used += ns;
	helper.now += ns;
}

static void look_at(uint32_t i)
{
	spend(helper.per_look * (helper.seen[i] ? 1 : 1 + MEETING));
	helper.seen[i] = helper.round.number;
	gmon.offcpu.threads[i].looked = helper.round.number;
}

/* A round, as offcpu_helper.c makes it. `look` is called for each thread before it is looked at, if
 * it is not NULL. */
static void go_round(void look(uint32_t i))
{
	helper.round.number++;
	helper.round.began = helper.now;
	spend(10 * US);
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++) {
		if (!gmon.offcpu.threads[i].tid || !thin_is_due(&helper.round, i))
			continue;
		if (look)
			look(i);
		look_at(i);
	}
}

static void end_round(void)
{
	thin_adapt(&helper.thin, &helper.round, helper.now);
	if (helper.rounds < MOST_ROUNDS) {
		helper.at[helper.rounds] = helper.now;
		helper.used_by[helper.rounds] = helper.used;
	}
	helper.rounds++;
	helper.now += PERIOD + thin_pause(&helper.thin);
}

/* The greatest share of a processor in any span of a second or more that begins at a round, but for
 * those of the first quarter. */
static double worst_share(void)
{
	double worst = 0;

	for (uint32_t from = 0; from < helper.rounds; from++) {
		for (uint32_t to = from + 1; to < helper.rounds; to++) {
			double span = (double)(helper.at[to] - helper.at[from]);
			double share = (double)(helper.used_by[to] - helper.used_by[from]) / span;

			if (span >= SECOND && helper.at[from] > BEGIN + SECOND / 4 && share > worst)
				worst = share;
		}
	}
	return worst;
}

/* Watches threads that are there from the second round on, for some seconds. */
static void watch(uint32_t threads, uint64_t seconds)
{
	while (helper.rounds < MOST_ROUNDS && helper.now < BEGIN + seconds * SECOND) {
		if (helper.rounds == 1)
			meet(threads);
		go_round(NULL);
		end_round();
	}
}

static void it_costs_a_hundredth_of_a_processor(void **state)
{
	static const struct {
		uint32_t threads;
		uint64_t dearest; /* the most that a look may cost, in nanoseconds */
	} cases[] = {
		{ 1, 50 * US }, { 8, 10 * US }, { 32, 80 * US }, { 100, 60 * US }, { 256, 40 * US }
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		for (uint64_t cost = US / 2; cost <= cases[i].dearest; cost += US / 2) {
			/* to meet them, and two rounds of all before that is noticed */
			uint64_t start = cases[i].threads * (MEETING + 2) * cost + PERIOD / 4;

			begin(cost);
			watch(cases[i].threads, 4);
			assert_true(worst_share() <= 0.01);
			assert_true(helper.used <= (helper.now - BEGIN) / 100 + start);
			if (cost <= 10 * US && cases[i].threads <= 100)
				assert_true(helper.used <= (helper.now - BEGIN) / 100);
		}
	}
}

static void looks_that_cost_little_are_not_rare(void **state)
{
	(void)state;
	begin(US / 2);
	watch(100, 1);
	assert_int_equal(helper.round.every, 1);
	assert_int_equal(thin_pause(&helper.thin), 0);
	begin(20 * US);
	watch(100, 2);
	assert_true(helper.round.every > 8 && thin_pause(&helper.thin) > 0);
	helper.per_look = US / 2;
	watch(100, 5);
	assert_true(helper.round.every <= 2);
	assert_int_equal(thin_pause(&helper.thin), 0);
}

static void each_thread_has_its_turn_once(void **state)
{
	(void)state;
	begin(US);
	meet(100);
	for (uint32_t every = 1; every <= 16; every++) {
		uint32_t turns[100] = { 0 };

		helper.round.every = every;
		for (uint32_t k = 0; k < 3 * every; k++) {
			uint32_t n = 0;

			helper.round.number = 7 * every + k;
			for (uint32_t i = 0; i < 100; i++) {
				turns[i] += thin_has_turn(&helper.round, i);
				n += thin_has_turn(&helper.round, i);
			}
			/* not many more in one round than in another */
			assert_true(n * every >= 100 / 2 && n * every <= 2 * 100);
		}
		for (uint32_t i = 0; i < 100; i++)
			assert_int_equal(turns[i], 3);
	}
}

/* The first thread with an index of 4 or more whose turn it is not. */
static uint32_t out_of_turn(void)
{
	uint32_t i = 4;

	while (thin_has_turn(&helper.round, i))
		i++;
	return i;
}

static void some_are_looked_at_out_of_turn(void **state)
{
	struct offcpu *one;
	uint32_t i, asked = 0;

	(void)state;
	begin(US);
	meet(100);
	helper.round.every = 16;
	for (helper.round.number = 1; helper.round.number < 100; helper.round.number++) {
		assert_true(thin_is_due(&helper.round, 0)); /* the first thread */
		i = out_of_turn();
		one = &gmon.offcpu.threads[i];
		assert_false(thin_is_due(&helper.round, i));
		one->elapsed.ran = true;
		helper.round.running = THIN_LEAST;
		assert_true(thin_is_due(&helper.round, i));
		helper.round.running = 5 * THIN_LEAST;
		asked += thin_is_due(&helper.round, i);
		one->elapsed.ran = false;
		one->contends = 1;
		helper.round.contending = THIN_LEAST;
		assert_true(thin_is_due(&helper.round, i));
		one->contends = 0;
		one->left = one->tid;
		assert_true(thin_is_due(&helper.round, i));
		one->left = 0;
	}
	assert_true(asked > 10 && asked < 40);
	i = out_of_turn();
	helper.round.last = true;
	assert_true(thin_is_due(&helper.round, i));
}

/* However costs change, and with them how rare looks are. */
static void no_thread_is_forgotten(void **state)
{
	uint64_t seed = 1;

	(void)state;
	begin(US);
	while (helper.rounds < 5000) {
		if (helper.rounds == 1)
			meet(100);
		if (helper.rounds % 20 == 0)
			helper.per_look = (1 + random_below(&seed, 30)) * US;
		go_round(NULL);
		end_round();
		for (uint32_t i = 0; i < 100 && helper.rounds > 3 * 16; i++)
			assert_true(helper.round.number - helper.seen[i] < 3 * 16);
	}
}

/*
 * Elapsed time, of threads that are looked at seldom: the first one runs alone for some time, then
 * it waits and some others run, and so on.
 */
static struct {
	uint64_t alone, together; /* nanoseconds */
	uint32_t each;            /* of the others, one in so many runs */
	uint64_t queue; /* until all of them have had a processor: one gets it after the other */
} truth;
static uint64_t elapsed_of[OFFCPU_THREADS], critical_of[OFFCPU_THREADS];
static uint64_t elapsed_queued;           /* of all, where they waited before they were woken */
static uint64_t seen_ran[OFFCPU_THREADS]; /* in how many parts a thread had run by its last look */

/* Whether a thread runs or is ready. */
static bool truth_runs(uint32_t i, uint64_t at)
{
	bool alone = at % (truth.alone + truth.together) < truth.alone;

	return alone ? i == 0 : i % truth.each == 1 % truth.each && i > 0;
}

/* Whether it has had a processor since it was woken. */
static bool truth_has_run(uint32_t i, uint64_t at)
{
	uint64_t since = at % (truth.alone + truth.together) - truth.alone;

	return truth_runs(i, at) && (i == 0 || since >= truth.queue * i / 100);
}

/* In how many parts it has run. */
static uint64_t truth_parts(uint32_t i, uint64_t at)
{
	uint64_t cycle = truth.alone + truth.together;

	return at / cycle + (at % cycle >= truth.alone + truth.queue * i / 100);
}

static void look_truly(uint32_t i)
{
	struct offcpu *thread = &gmon.offcpu.threads[i];
	bool blocked = !truth_has_run(i, helper.now);
	uint64_t ran = truth_parts(i, helper.now);

	if (blocked && (!thread->blocked || ran != seen_ran[i]))
		thread->found = helper.round.number;
	seen_ran[i] = ran;
	thread->cell = (struct stack_cell){ 1, 1 };
	thread->has_cell |= blocked;
	thread->blocked = blocked;
}

/* What elapsed.c calls. */
const struct thread *offcpu_entry(struct offcpu *thread)
{
	return (const void *)thread;
}

uint32_t offcpu_record(struct offcpu *thread)
{
	return thread->record;
}

bool offcpu_is_woken(const struct offcpu *thread)
{
	return truth_runs(thread->record, helper.now);
}

uint32_t stacks_newest(const struct thread *thread, struct stack_cell *cell)
{
	(void)thread;
	*cell = (struct stack_cell){ 0, 0 };
	return helper.round.number; /* sampled since the last round */
}

struct stack_cell offcpu_stack_all_wait(const struct stack_cell *cell)
{
	return *cell;
}

struct holder holder_find(const struct offcpu *thread, struct holder_words *words)
{
	(void)thread;
	(void)words;
	return (struct holder){ .thread = NULL };
}

void offcpu_stack_add_as(const struct stack_cell *cell, uint32_t record, uint32_t kind, uint64_t us)
{
	if (kind == KINDS_ELAPSED && record > 0 && cell->from)
		elapsed_queued += us;
	if (kind == KINDS_ELAPSED)
		elapsed_of[record] += us;
	else
		critical_of[record] += us;
}

static double sum(const uint64_t *of)
{
	double all = 0;

	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		all += (double)of[i];
	return all;
}

/* Makes rounds for 40 s. Returns the share of the first thread. */
static double elapse(uint64_t per_look)
{
	struct elapsed elapsed = { .until = 0 };
	struct offcpu *thread;
	double all;

	begin(per_look);
	meet(100);
	memset(elapsed_of, 0, sizeof(elapsed_of));
	memset(critical_of, 0, sizeof(critical_of));
	memset(seen_ran, 0, sizeof(seen_ran));
	elapsed_queued = 0;
	elapsed_begin(&elapsed, helper.now);
	while (!helper.round.last) {
		helper.round.last = helper.now > BEGIN + 40 * (uint64_t)SECOND;
		go_round(look_truly);
		while ((thread = elapsed_left_out(&helper.round))) {
			look_truly(thread->record);
			look_at(thread->record);
		}
		elapsed_charge(&elapsed, &helper.round, helper.now);
		end_round();
	}
	all = (double)(elapsed.until - BEGIN) / US;
	/* Each charge may lose a part of a microsecond. */
	assert_true(sum(elapsed_of) <= all && sum(elapsed_of) > all * 0.999);
	assert_true(sum(critical_of) <= all && sum(critical_of) > all * 0.999);
	return (double)elapsed_of[0] / all;
}

static void rare_looks_stand_for_all_the_time(void **state)
{
	static const uint64_t ms = 1000 * US;
	static const struct {
		uint64_t per_look;
		double off; /* of the share at most */
	} cases[] = { { US / 2, 0.005 }, { 5 * US, 0.08 }, { 20 * US, 0.08 }, { 60 * US, 0.08 } };
	static const uint64_t phases[][2] = {
		{ 100, 150 }, { 200, 200 }, { 300, 100 }, { 1000, 1500 }
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		for (size_t k = 0; k < 4 * COUNT(phases); k++) {
			double share, is;

			truth.alone = phases[k / 4][0] * ms;
			truth.together = phases[k / 4][1] * ms;
			truth.each = 1 + k % 4;
			truth.queue = 0;
			is = (double)truth.alone / (double)(truth.alone + truth.together);
			share = elapse(cases[i].per_look);
			assert_true(share > is - cases[i].off && share < is + cases[i].off);
		}
	}
}

/* Threads that were woken at once, more than there are processors, are where they waited until they
 * have one. */
static void those_that_were_woken_are_where_they_waited(void **state)
{
	static const struct {
		uint64_t per_look;
		double off; /* of the share at most */
	} cases[] = { { US / 2, 0.01 }, { 5 * US, 0.05 }, { 20 * US, 0.05 } };

	(void)state;
	truth.alone = 300000 * US;
	truth.together = 1000000 * US;
	truth.queue = 400000 * US;
	for (size_t i = 0; i < COUNT(cases); i++) {
		for (truth.each = 1; truth.each <= 4; truth.each++) {
			double cycle = (double)(truth.alone + truth.together), share;
			double is = (double)truth.queue / 2 / cycle;

			elapse(cases[i].per_look);
			share = (double)elapsed_queued / sum(elapsed_of);
			assert_true(share > is - cases[i].off && share < is + cases[i].off);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_costs_a_hundredth_of_a_processor),
		cmocka_unit_test(looks_that_cost_little_are_not_rare),
		cmocka_unit_test(each_thread_has_its_turn_once),
		cmocka_unit_test(some_are_looked_at_out_of_turn),
		cmocka_unit_test(no_thread_is_forgotten),
		cmocka_unit_test(rare_looks_stand_for_all_the_time),
		cmocka_unit_test(those_that_were_woken_are_where_they_waited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
