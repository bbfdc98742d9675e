/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of shares: by sampling, by what files differ in, and the wider of the two. */
#include "testing.h"

#include "model/confidence.h"

#include <math.h>

static void expect_interval(struct interval got, double low, double high)
{
	if (fabs(got.low - low) > 1e-12 || fabs(got.high - high) > 1e-12)
		fail_msg("%.15g to %.15g instead of %.15g to %.15g", got.low, got.high, low, high);
}

/* Of one file, that of its samples; where several ticks tell as much as one, that of fewer. */
static void sampling(void **state)
{
	struct confidence c = { .level = 95, .z = interval_normal(95) };
	struct interval wanted = interval_share(30, 100, c.z);

	(void)state;
	expect_interval(confidence_share(&c, 30, 100, CONFIDENCE_UNKNOWN), wanted.low, wanted.high);
	expect_interval(confidence_share(&c, 30, 100, 0.4), wanted.low, wanted.high);
	c.per_sample = 0.5;
	expect_interval(confidence_share(&c, 30, 100, CONFIDENCE_UNKNOWN), wanted.low, wanted.high);
	c.per_sample = 4.0;
	wanted = interval_share(7.5, 25, c.z);
	expect_interval(confidence_share(&c, 30, 100, CONFIDENCE_UNKNOWN), wanted.low, wanted.high);
}

/* What is above all by rounding is all; of nothing, nothing is known. */
static void ends(void **state)
{
	const struct confidence c = { .z = interval_normal(95), .nfiles = 3, .excess = 4 };
	const struct interval all = interval_share(100, 100, c.z);

	(void)state;
	expect_interval(confidence_share(&c, 0, 0, 0.1), 0, 1);
	expect_interval(confidence_share(&c, 100.0001, 100, 0.0), all.low, 1);
	expect_interval(confidence_share(&c, 0, 100, 2.0), 0, 1);
	expect_interval(confidence_share(&c, 50, 100, 2.0), 0, 1);
}

/* The wider counts, on each side: Wilson's interval is not in the middle. */
static void files(void **state)
{
	const struct confidence c = { .z = interval_normal(95), .nfiles = 3, .excess = 4 };
	const struct interval narrow = interval_share(10, 100, c.z);

	(void)state;
	assert_true(0.1 - narrow.low < narrow.high - 0.1);
	expect_interval(confidence_share(&c, 10, 100, 0.001), narrow.low, narrow.high);
	expect_interval(confidence_share(&c, 10, 100, 0.06), 0.04, narrow.high);
	expect_interval(confidence_share(&c, 10, 100, 0.09), 0.01, 0.19);
}

/* What is not known of a function is as in the mean of all, of self or of inclusive time, but never
 * less than chance. */
static void mean(void **state)
{
	struct confidence c = { .z = interval_normal(95), .nfiles = 3, .excess = 0.5 };
	const struct interval by_chance = interval_share(40, 100, c.z);

	(void)state;
	expect_interval(confidence_share(&c, 40, 100, CONFIDENCE_UNKNOWN), by_chance.low,
			by_chance.high);
	c.inclusive_excess = 2.0;
	expect_interval(confidence_share(&c, 40, 100, CONFIDENCE_UNKNOWN),
			0.4 - 2 * (0.4 - by_chance.low), 0.4 + 2 * (by_chance.high - 0.4));
	expect_interval(confidence_share(&c, 40, 100, 0.0), by_chance.low, by_chance.high);
}

static void parts(void **state)
{
	const double self[] = { 0.1, CONFIDENCE_UNKNOWN };

	(void)state;
	assert_true(fabs(confidence_part(0.2, 25, 100) - 0.1) < 1e-15);
	assert_true(confidence_part(0.2, 120, 100) == 0.2);
	assert_true(confidence_part(CONFIDENCE_UNKNOWN, 25, 100) == CONFIDENCE_UNKNOWN);
	assert_true(confidence_part(0.0, 25, 100) == 0.0);
	assert_true(confidence_files(self, 0) == 0.1);
	assert_true(confidence_files(self, 1) == CONFIDENCE_UNKNOWN);
	assert_true(confidence_files(NULL, 1) == CONFIDENCE_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sampling), cmocka_unit_test(ends),  cmocka_unit_test(files),
		cmocka_unit_test(mean),     cmocka_unit_test(parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
