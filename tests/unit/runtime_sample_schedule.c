/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Places to sample at: one in each period, equally likely anywhere in it, for looks at any
 * distance.
 */
#include "sample/sample_schedule.h"

#include "testing.h"

enum { PERIOD = 10000000, BEGIN = 12345, CELLS = 50, PERIODS = 100000 };

static const struct sample_schedule_rule jitter = { .period = PERIOD, .jitter = PERIOD };

/* Chi-square of equally likely cells; so much is exceeded with a chance of 0.001, for 49 degrees of
 * freedom. */
static const double worst_chi_square = 85.4;

static double chi_square(const uint32_t *cell, double expected)
{
	double sum = 0;

	for (int i = 0; i < CELLS; i++)
		sum += (cell[i] - expected) * (cell[i] - expected) / expected;
	return sum;
}

static struct sample_schedule started(const struct sample_schedule_rule *rule, uint64_t seed)
{
	struct sample_schedule schedule;

	sample_schedule_seed(&schedule, seed);
	assert_int_equal(schedule.next, 0);
	sample_schedule_start(&schedule, rule, BEGIN);
	return schedule;
}

static void places_are_one_in_each_period_and_uniform(void **state)
{
	struct sample_schedule schedule = started(&jitter, 1);
	uint32_t cell[CELLS] = { 0 };

	(void)state;
	for (uint64_t k = 0; k < PERIODS; k++) {
		uint64_t at = schedule.next - BEGIN;

		assert_int_equal(at / PERIOD, k);
		cell[at % PERIOD * CELLS / PERIOD]++;
		assert_int_equal(sample_schedule_take(&schedule, &jitter, schedule.next - 1), 0);
		assert_int_equal(sample_schedule_take(&schedule, &jitter, schedule.next), 1);
	}
	assert_true(chi_square(cell, (double)PERIODS / CELLS) < worst_chi_square);
}

/* As the kernel's ticks make it: looks every 4 ms, at a program that does the same every 10 ms, or
 * every 7. */
static void looks_count_what_they_see_by_its_time(void **state)
{
	static const uint32_t rhythms[] = { PERIOD, 7000000, 2345678 };

	(void)state;
	for (size_t r = 0; r < COUNT(rhythms); r++) {
		struct sample_schedule schedule = started(&jitter, 2 + r);
		const uint64_t look = 4000037;
		uint64_t now = BEGIN, all = 0, in = 0;
		double sigma;

		for (uint32_t i = 0; i < 2 * PERIODS; i++) {
			uint32_t n = sample_schedule_take(&schedule, &jitter, now += look);

			assert_true(n <= 2);
			all += n;
			in += (now - BEGIN) % rhythms[r] < rhythms[r] * UINT64_C(4) / 10 ? n : 0;
		}
		assert_true(all + 1 >= (now - BEGIN) / PERIOD && all <= (now - BEGIN) / PERIOD + 1);
		sigma = 0.5 * (double)all * 0.4 *
			0.6; /* half of the variance of independent samples */
		assert_true(((double)in - 0.4 * (double)all) * ((double)in - 0.4 * (double)all) <
			    9 * 2 * sigma);
	}
}

static void after_a_long_time_periods_are_counted_not_visited(void **state)
{
	const uint64_t far = UINT64_C(1) << 62;

	(void)state;
	for (uint64_t n = 0; n < 100; n++) {
		struct sample_schedule schedule = started(&jitter, n);
		uint64_t now = BEGIN + n * PERIOD - (n > 0);
		uint32_t taken = sample_schedule_take(&schedule, &jitter, now);

		assert_true(taken + 1 >= n && taken <= n);
		assert_true(schedule.next > now && schedule.next < now + 2 * PERIOD);
		assert_true(sample_schedule_take(&schedule, &jitter, far) == UINT32_MAX);
		assert_true(schedule.next > far && schedule.next < far + 2 * PERIOD);
	}
}

static void without_play_places_are_equally_far(void **state)
{
	const struct sample_schedule_rule regular = { .period = PERIOD };
	uint32_t cell[CELLS] = { 0 };

	(void)state;
	for (uint32_t seed = 0; seed < PERIODS; seed++) {
		struct sample_schedule schedule = started(&regular, seed);
		uint64_t first = schedule.next;

		cell[(first - BEGIN) * CELLS / PERIOD]++;
		assert_int_equal(
			sample_schedule_take(&schedule, &regular, first + 9 * (uint64_t)PERIOD),
			10);
		assert_int_equal(schedule.next, first + 10 * (uint64_t)PERIOD);
	}
	assert_true(chi_square(cell, (double)PERIODS / CELLS) < worst_chi_square);
}

static void little_play_stays_within_the_period(void **state)
{
	const struct sample_schedule_rule some = { .period = PERIOD, .jitter = PERIOD / 4 };
	struct sample_schedule schedule = started(&some, 5);
	uint64_t low = PERIOD, high = 0;

	(void)state;
	for (uint64_t k = 0; k < PERIODS; k++) {
		uint64_t at = schedule.next - BEGIN - k * PERIOD;

		assert_true(at < PERIOD);
		low = at < low ? at : low;
		high = at > high ? at : high;
		sample_schedule_take(&schedule, &some, schedule.next);
	}
	assert_true(high - low < PERIOD / 4 && high - low > PERIOD / 5);
}

static void equal_seeds_give_equal_places(void **state)
{
	struct sample_schedule one = started(&jitter, 7), same = started(&jitter, 7),
			       other = started(&jitter, 8);

	(void)state;
	for (int i = 0; i < 100; i++) {
		assert_int_equal(one.next, same.next);
		assert_int_not_equal(one.next, other.next);
		sample_schedule_take(&one, &jitter, one.next);
		sample_schedule_take(&same, &jitter, same.next);
		sample_schedule_take(&other, &jitter, other.next);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_one_in_each_period_and_uniform),
		cmocka_unit_test(looks_count_what_they_see_by_its_time),
		cmocka_unit_test(after_a_long_time_periods_are_counted_not_visited),
		cmocka_unit_test(without_play_places_are_equally_far),
		cmocka_unit_test(little_play_stays_within_the_period),
		cmocka_unit_test(equal_seeds_give_equal_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
