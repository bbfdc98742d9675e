/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often counts that chance alone has made are called uneven. */
#include "testing.h"

#include "base/dispersion.h"
#include "base/interval.h"

#include <math.h>

/* Numbers from 0 up to n, which is small: the same in each run. */
static uint32_t next_random(uint64_t *state, uint32_t n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)((*state >> 32) * n >> 32);
}

static bool is_uneven(uint64_t *random, uint32_t events, uint32_t n, double z)
{
	unsigned count[1000] = { 0 };
	double squares = 0.0;

	for (uint32_t k = 0; k < events; k++)
		count[next_random(random, n)]++;
	for (uint32_t i = 0; i < n; i++)
		squares += (double)count[i] * count[i];
	return dispersion_is_uneven(events, squares, n, z);
}

/* Where chi-square alone would mark 35 of 1000, as with 9 events in 1000 cells, too. */
static void chance_is_rarely_uneven(void **state)
{
	static const struct {
		uint32_t events, n;
	} cases[] = { { 4, 2 },    { 100, 2 },  { 7, 3 },     { 9, 4 },     { 236, 4 },
		      { 6, 8 },    { 157, 8 },  { 12, 16 },   { 2, 64 },    { 5, 64 },
		      { 47, 64 },  { 420, 64 }, { 7, 256 },   { 21, 256 },  { 62, 256 },
		      { 3, 1000 }, { 9, 1000 }, { 27, 1000 }, { 81, 1000 }, { 729, 1000 } };
	double z = interval_normal(99.8);
	uint64_t random = 88172645463325252u;

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		unsigned marked = 0;

		for (unsigned trial = 0; trial < 4000; trial++)
			marked += is_uneven(&random, cases[c].events, cases[c].n, z);
		/* Of 4 that are expected. */
		if (marked > 13)
			fail_msg("%u events in %u cells: %u of 4000", cases[c].events, cases[c].n,
				 marked);
	}
}

static void what_is_uneven_is_found(void **state)
{
	double z = interval_normal(99.8);

	(void)state;
	/* 41, 42, 82 and 41 samples; 30 in one of 8 ranks; 7 in one of 1000. */
	assert_true(dispersion_is_uneven(206, 41 * 41 + 42 * 42 + 82 * 82 + 41 * 41, 4, z));
	assert_true(dispersion_is_uneven(30, 900, 8, z));
	assert_true(dispersion_is_uneven(7, 49, 1000, z));
	/* 20, 21, 20 and 21 are too even, which is no wonder of libgmon's clock. */
	assert_false(dispersion_is_uneven(82, 2 * 400 + 2 * 441, 4, z));
	assert_false(dispersion_is_uneven(1, 1, 1000, z));
	assert_false(dispersion_is_uneven(0, 0, 4, z));
	assert_false(dispersion_is_uneven(100, 10000, 1, z));
}

static void the_statistic(void **state)
{
	(void)state;
	assert_true(fabs(dispersion_of(10, 26, 5) - 3.0) < 1e-12);
	assert_true(fabs(dispersion_of(10, 20, 5) - 0.0) < 1e-12);
	assert_true(fabs(dispersion_of(10, 19.999, 5) - 0.0) < 1e-12);
	assert_true(fabs(dispersion_of(0, 0, 5) - 0.0) < 1e-12);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(chance_is_rarely_uneven),
		cmocka_unit_test(what_is_uneven_is_found),
		cmocka_unit_test(the_statistic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
