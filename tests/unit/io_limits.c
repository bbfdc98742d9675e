/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of what reading an object file may take: lowered, kept, given back. */
#include "testing.h"

#include "io/image/limits.h"

static rlim_t limit_of(int resource)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(resource, &limit), 0);
	return limit.rlim_cur;
}

static void lowered_and_given_back(void **state)
{
	rlim_t cpu = limit_of(RLIMIT_CPU), memory = limit_of(RLIMIT_AS);
	struct limits limits = limits_begin("/proc/self/exe");

	(void)state;
	assert_true(limit_of(RLIMIT_CPU) < 1000);
	assert_true(limit_of(RLIMIT_CPU) >= 120);
	if (limits.has_memory) {
		assert_true(limit_of(RLIMIT_AS) > (rlim_t)4 << 30);
		assert_true(limit_of(RLIMIT_AS) < (rlim_t)1 << 40);
	}
	limits_end(&limits);
	assert_true(limit_of(RLIMIT_CPU) == cpu);
	assert_true(limit_of(RLIMIT_AS) == memory);
}

static void lower_ones_stay(void **state)
{
	struct rlimit old, low;
	struct limits limits;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_CPU, &old), 0);
	low = (struct rlimit){ 100, old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_CPU, &low), 0);
	limits = limits_begin("/nonexistent");
	assert_int_equal(limit_of(RLIMIT_CPU), 100);
	limits_end(&limits);
	assert_int_equal(limit_of(RLIMIT_CPU), 100);
	assert_int_equal(setrlimit(RLIMIT_CPU, &old), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lowered_and_given_back),
		cmocka_unit_test(lower_ones_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
